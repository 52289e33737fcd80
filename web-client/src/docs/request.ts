/** A filled-in form as a request, for the browser and as a command line. */

import type { Operation } from './document';

export interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** @param values by the fields' names; empty ones are left out */
export function requestOf(operation: Operation, values: ReadonlyMap<string, string>, body: string, token: string): Request {
  let path = operation.path;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const field of operation.fields) {
    const value = values.get(field.name) ?? '';
    if (field.where === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(value));
    else if (value !== '' && field.where === 'query') query.set(field.name, value);
    else if (value !== '') headers[field.name] = value;
  }
  const hasBody = operation.bodies.length > 0 && body.trim() !== '';
  if (hasBody) headers['Content-Type'] = 'application/json';
  if (!operation.open && token !== '') headers['Authorization'] = `Bearer ${token}`;
  const question = query.toString();
  return {
    method: operation.method,
    url: question === '' ? path : `${path}?${question}`,
    headers,
    body: hasBody ? body : undefined,
  };
}

/** The required fields that are empty. */
export function missing(operation: Operation, values: ReadonlyMap<string, string>): string[] {
  return operation.fields.filter((field) => field.required && (values.get(field.name) ?? '') === '').map((field) => field.name);
}

/** A shell command that asks for the token, since people share such lines; the browser's cookie is not available there. */
export function curlOf(operation: Operation, request: Request, origin: string): string {
  const parts = ['curl'];
  if (request.method === 'HEAD') parts.push('-I');
  else if (request.method !== 'GET' && !(request.method === 'POST' && request.body !== undefined)) parts.push('-X', request.method);
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== 'Authorization') parts.push('-H', quoted(`${name}: ${value}`));
  }
  if (!operation.open) parts.push('-H', `"Authorization: Bearer ${operation.needsAnswerToken ? '$ANSWER_TOKEN' : '$(./penstock token)'}"`);
  if (request.body !== undefined) parts.push('-d', quoted(compact(request.body)));
  parts.push(quoted(origin + request.url));
  return parts.join(' ');
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

function compact(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body; // sent unchanged, so that the server's complaint is visible
  }
}
