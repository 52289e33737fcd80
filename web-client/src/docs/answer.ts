/** The response to a request: its status at once, its body as it arrives. */

import { element } from '../page/element';
import { EventReader } from '../page/events';
import type { Request } from './request';

const SHOWN_CHARS = 256 * 1024; // more makes the page slow and is of no use here
const SHOWN_EVENTS = 1000;

/** Sends the request and shows the response in `there`; `stop` aborts it. Returns the body if it was JSON. */
export async function send(request: Request, streams: boolean, there: HTMLElement, stop: AbortSignal): Promise<unknown> {
  const began = performance.now();
  const status = element('p', { className: 'status' }, 'Sent …');
  const body = element('div', { className: 'body' });
  there.replaceChildren(status, body);
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      cache: 'no-store',
      signal: stop,
    });
    status.replaceChildren(
      element('strong', { className: response.ok ? 'good' : 'bad' }, `${response.status} ${response.statusText}`),
      element('span', {}, `${Math.round(performance.now() - began)} ms`),
    );
    status.after(headersOf(response));
    return streams && response.ok ? await events(response, body, status) : await whole(response, body);
  } catch (broken) {
    const stopped = stop.aborted;
    status.append(element('span', { className: stopped ? '' : 'bad' }, stopped ? 'Stopped.' : `Interrupted: ${String(broken)}`));
    return undefined;
  }
}

function headersOf(response: Response): HTMLElement {
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  return element('details', {}, element('summary', {}, `${lines.length} headers`), element('pre', {}, lines.join('\n')));
}

async function whole(response: Response, body: HTMLElement): Promise<unknown> {
  const text = await response.text();
  const json = (response.headers.get('content-type') ?? '').startsWith('application/json');
  const parsed: unknown = json && text !== '' ? JSON.parse(text) : undefined;
  const shown = parsed === undefined ? text : JSON.stringify(parsed, null, 2);
  if (shown === '') body.append(element('p', { className: 'quiet' }, 'No body.'));
  else body.append(element('pre', {}, shown.slice(0, SHOWN_CHARS)));
  if (shown.length > SHOWN_CHARS) body.append(element('p', { className: 'quiet' }, `… and ${shown.length - SHOWN_CHARS} characters more.`));
  return parsed;
}

async function events(response: Response, body: HTMLElement, status: HTMLElement): Promise<undefined> {
  const reader = new EventReader();
  const count = element('span', {}, 'no events yet');
  const rows = element('ol', { className: 'events' });
  status.append(count);
  body.append(rows);
  let seen = 0;
  for await (const piece of pieces(response)) {
    for (const event of reader.read(piece)) {
      seen++;
      rows.append(row(event.id, event.data));
      if (rows.childElementCount > SHOWN_EVENTS) rows.firstElementChild?.remove();
    }
    count.textContent = seen === 1 ? '1 event' : `${seen} events`;
    rows.scrollTop = rows.scrollHeight;
  }
  status.append(element('span', {}, 'The stream has ended.'));
  return undefined;
}

async function* pieces(response: Response): AsyncGenerator<string> {
  const bytes = response.body?.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const next = await bytes?.read();
    if (next === undefined || next.done) return;
    yield decoder.decode(next.value, { stream: true });
  }
}

function row(id: string, data: string): HTMLElement {
  let type = '';
  let shown = data;
  try {
    const frame = JSON.parse(data) as { type?: unknown };
    type = String(frame.type ?? '');
    shown = JSON.stringify(frame, null, 2);
  } catch {
    // Not JSON: shown as it arrived.
  }
  const summary = element('summary', {}, element('b', {}, id), element('span', {}, type), element('code', {}, essence(data)));
  return element('li', {}, element('details', {}, summary, element('pre', {}, shown)));
}

/** The first field that distinguishes frames of different types. */
function essence(data: string): string {
  const told = /"(?:chunk|status|reason|title|signal|message|digest)":("(?:[^"\\]|\\.)*")/.exec(data);
  return told?.[1] ?? '';
}
