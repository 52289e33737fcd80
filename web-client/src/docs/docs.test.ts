import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json } from '../frames/frames';
import { groupsOf, type Operation } from './document';
import { EventReader } from '../page/events';
import { curlOf, missing, requestOf } from './request';

const text = readFileSync('../modules/server/src/main/resources/io/penstock/server/api/openapi.json', 'utf8');
const groups = groupsOf(JSON.parse(text) as Json);
const operations = groups.flatMap((group) => group.operations);

function operation(id: string): Operation {
  const there = operations.find((each) => each.id === id);
  if (there === undefined) throw new Error(`no operation ${id}`);
  return there;
}

describe('the document', () => {
  test('is shown as a whole, by its tags', () => {
    expect(groups.map((group) => group.name)).toEqual(['tasks', 'control', 'bytes', 'sessions', 'tools', 'server']);
    expect(operations).toHaveLength(text.match(/"operationId"/g)?.length ?? 0);
    expect(operation('taskEvents').streams).toBe(true);
    expect(operation('health').open).toBe(true);
    expect(operation('listTasks').open).toBe(false);
  });

  test('shows the allowed values of each field', () => {
    const fields = operation('taskStatus').fields;
    expect(fields.map((field) => [field.name, field.where, field.kind, field.required])).toEqual([
      ['id', 'path', 'text, up to 128 characters', true],
      ['wait', 'query', 'number, 0 to 50000', false],
      ['at_seq', 'query', 'number from 0', false],
    ]);
    expect(operation('outputBytes').fields[1]?.choices).toEqual(['stdout', 'stderr', 'pty']);
    expect(operation('spawnTask').bodies.map((example) => example.name)).toEqual([
      'A command',
      'A program without a shell',
      'A few seconds of output',
      'A terminal that waits for input',
    ]);
  });
});

test('the members of a body are shown with nested ones', () => {
  expect(operation('spawnTask').parts.slice(0, 5)).toEqual([
    {
      name: 'tool',
      kind: 'bash | shell | exec, needed',
      text: 'What runs: bash or the system\'s sh runs args.command; exec runs the program args.argv, without a shell.',
    },
    { name: 'args.command', kind: 'text', text: 'The command for the shell; required for bash and shell.' },
    {
      name: 'args.argv',
      kind: 'list',
      text: 'The program and its arguments; required for exec. A name without a slash is looked up in PATH.',
    },
    {
      name: 'args.cwd',
      kind: 'text, up to 4096 characters',
      text: 'A folder below the workspace; default: the workspace itself.',
    },
    { name: 'args.env', kind: 'object', text: 'Variables added to a clean environment. Only their names are recorded. Policy may accept only some: docs/policy.md, `env`.' },
  ]);
  expect(operation('spawnTask').parts[5]?.kind).toBe('number, 1 to 4096, else 24');
  expect(operation('listTasks').parts).toEqual([]);
});

describe('a filled-in form', () => {
  test('is a request without the empty fields', () => {
    const values = new Map([
      ['id', 'a b/c'],
      ['wait', '100'],
      ['at_seq', ''],
    ]);
    expect(requestOf(operation('taskStatus'), values, '', 'secret')).toEqual({
      method: 'GET',
      url: '/tasks/a%20b%2Fc?wait=100',
      headers: { Authorization: 'Bearer secret' },
      body: undefined,
    });
    expect(requestOf(operation('cancelTask'), new Map([['id', 'a']]), '  ', '').headers).toEqual({});
    expect(requestOf(operation('health'), new Map(), '', 'secret').headers).toEqual({});
    expect(missing(operation('taskStatus'), new Map())).toEqual(['id']);
  });

  test('is a command line that does not contain the token', () => {
    const values = new Map([['Idempotency-Key', "it's"]]);
    const request = requestOf(operation('spawnTask'), values, '{\n "tool": "bash"\n}', 'secret');
    expect(curlOf(operation('spawnTask'), request, 'http://here')).toBe(
      `curl -H 'Idempotency-Key: it'\\''s' -H 'Content-Type: application/json' -H "Authorization: Bearer $(./penstock token)" -d '{"tool":"bash"}' 'http://here/tasks'`,
    );
  });

  test('has the token that the operation needs, also for a browser that sends its cookie instead', () => {
    const line = (id: string): string => curlOf(operation(id), requestOf(operation(id), new Map([['id', 'a']]), '', ''), 'http://here');
    expect(line('cancelTask')).toBe(`curl -X POST -H "Authorization: Bearer $(./penstock token)" 'http://here/tasks/a/cancel'`);
    expect(line('artifactBytesHead')).toBe(`curl -I -H "Authorization: Bearer $(./penstock token)" 'http://here/artifacts/a'`);
    expect(line('answerQuestion')).toBe(`curl -X POST -H "Authorization: Bearer $ANSWER_TOKEN" 'http://here/tasks/a/answer'`);
    expect(line('health')).toBe("curl 'http://here/healthz'");
  });
});

test('events are the same wherever the text is cut', () => {
  const text = 'retry: 1000\n\nid: 0\ndata: {"a": ": "}\n\n:\n\nid: 1\ndata: two\ndata: lines\n\n';
  const whole = new EventReader().read(text);
  expect(whole).toEqual([
    { id: '0', data: '{"a": ": "}' },
    { id: '1', data: 'two\nlines' },
  ]);
  for (let at = 0; at <= text.length; at++) {
    const reader = new EventReader();
    expect([...reader.read(text.slice(0, at)), ...reader.read(text.slice(at))]).toEqual(whole);
  }
});
