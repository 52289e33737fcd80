/** The part of the OpenAPI document that the page shows: its operations by tag, and their parameters. */

import type { Json } from '../frames/frames';

type Members = { [name: string]: Json };

/** A parameter to fill in, apart from the body. */
export interface Field {
  readonly name: string;
  readonly where: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly text: string;
  /** The allowed values, in words. */
  readonly kind: string;
  /** All allowed values, if they are a few words. */
  readonly choices: readonly string[];
  /** The default, or an example. */
  readonly hint: string;
}

export interface Example {
  readonly name: string;
  readonly text: string;
}

/** A member of the body; the name of a nested member begins with the names of those around it. */
export interface Part {
  readonly name: string;
  readonly kind: string;
  readonly text: string;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly text: string;
  readonly fields: readonly Field[];
  /** Example bodies; empty if the operation has none. */
  readonly bodies: readonly Example[];
  readonly parts: readonly Part[];
  /** The responses by status. */
  readonly answers: readonly { readonly status: string; readonly text: string }[];
  /** Whether the operation needs no token. */
  readonly open: boolean;
  /** Whether only the answer token gives access. */
  readonly needsAnswerToken: boolean;
  /** Whether the response is a stream of events. */
  readonly streams: boolean;
}

export interface Group {
  readonly name: string;
  readonly text: string;
  readonly operations: readonly Operation[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head'];

function members(value: Json | undefined): Members {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Reads one document; missing parts are shown as empty, and the rest is shown. */
class Reader {
  readonly #document: Members;

  constructor(document: Json) {
    this.#document = members(document);
  }

  groups(): Group[] {
    const tags = list(this.#document['tags']).map(members);
    return tags
      .map((tag) => ({ name: text(tag['name']), text: text(tag['description']), operations: this.#tagged(text(tag['name'])) }))
      .filter((group) => group.operations.length > 0);
  }

  /** The target of a reference, or the value itself. */
  #resolved(value: Json | undefined): Members {
    const object = members(value);
    const reference = text(object['$ref']);
    if (!reference.startsWith('#/')) return object;
    return this.#resolved(reference.slice(2).split('/').reduce<Json>((at, part) => members(at)[part] ?? null, this.#document));
  }

  #tagged(tag: string): Operation[] {
    return Object.entries(members(this.#document['paths'])).flatMap(([path, item]) =>
      METHODS.filter((method) => list(members(members(item)[method])['tags']).includes(tag)).map((method) =>
        this.#operation(method, path, members(item)),
      ),
    );
  }

  #operation(method: string, path: string, item: Members): Operation {
    const operation = members(item[method]);
    const answers = Object.entries(members(operation['responses'])).map(([status, answer]) => ({ status, answer: this.#resolved(answer) }));
    const security = operation['security'] ?? this.#document['security'];
    return {
      id: text(operation['operationId']),
      method: method.toUpperCase(),
      path,
      summary: text(operation['summary']),
      text: text(operation['description']),
      fields: [...list(item['parameters']), ...list(operation['parameters'])].map((parameter) => this.#field(this.#resolved(parameter))),
      bodies: this.#bodies(contentOf(operation)),
      parts: this.#parts(this.#resolved(contentOf(operation)['schema']), ''),
      answers: answers.map(({ status, answer }) => ({ status, text: text(answer['description']) })),
      open: list(security).length === 0,
      needsAnswerToken: list(security).length > 0 && list(security).every((each) => 'answer_token' in members(each)),
      streams: answers.some(({ answer }) => 'text/event-stream' in members(answer['content'])),
    };
  }

  #field(parameter: Members): Field {
    const schema = this.#resolved(parameter['schema']);
    const hint = parameter['example'] ?? schema['default'];
    return {
      name: text(parameter['name']),
      where: text(parameter['in']) as Field['where'],
      required: parameter['required'] === true,
      text: text(parameter['description']),
      kind: kindOf(schema),
      choices: list(schema['enum']).map(String),
      hint: hint === undefined || hint === null ? '' : String(hint),
    };
  }

  #parts(schema: Members, before: string): Part[] {
    const needed = list(schema['required']);
    return Object.entries(members(schema['properties'])).flatMap(([name, value]) => {
      const inner = this.#resolved(value);
      if (inner['properties'] !== undefined) return this.#parts(inner, `${before}${name}.`);
      const kind = kindOf(inner) + (needed.includes(name) ? ', needed' : usualOf(inner));
      return [{ name: before + name, kind, text: text(inner['description']) }];
    });
  }

  #bodies(content: Members): Example[] {
    if (content['example'] !== undefined) return [{ name: 'Example', text: JSON.stringify(content['example'], null, 2) }];
    return Object.values(members(content['examples'])).map((example) => ({
      name: text(members(example)['summary']),
      text: JSON.stringify(members(example)['value'], null, 2),
    }));
  }
}

function contentOf(operation: Members): Members {
  return members(members(members(operation['requestBody'])['content'])['application/json']);
}

function usualOf(schema: Members): string {
  return schema['default'] === undefined ? '' : `, else ${String(schema['default'])}`;
}

/** A schema in a few words. */
function kindOf(schema: Members): string {
  const types = [schema['type'] ?? ''].flat();
  if (Array.isArray(schema['enum'])) return schema['enum'].filter((word) => word !== null).join(' | ');
  if (types.includes('object')) return 'object';
  if (types.includes('array')) return 'list';
  if (!types.includes('integer')) return schema['maxLength'] === undefined ? 'text' : `text, up to ${String(schema['maxLength'])} characters`;
  const most = schema['maximum'];
  const bounded = typeof most === 'number' && most < 2 ** 52;
  return bounded ? `number, ${String(schema['minimum'])} to ${most}` : `number from ${String(schema['minimum'])}`;
}

export function groupsOf(document: Json): Group[] {
  return new Reader(document).groups();
}
