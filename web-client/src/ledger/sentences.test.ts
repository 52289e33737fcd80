import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json } from '../frames/frames';
import { readFrame } from '../frames/parse';
import { noFrame, sentenceOf, typed } from './sentences';

const STREAMS = new URL('../../../conformance/streams/v1/', import.meta.url);

describe('every frame of the golden streams', () => {
  test.each(readdirSync(STREAMS))('%s has a sentence without gaps', (name) => {
    for (const line of readFileSync(new URL(name, STREAMS), 'utf8').trimEnd().split('\n')) {
      const frame = readFrame((JSON.parse(line) as { frame: Json }).frame);
      const { what } = sentenceOf(frame);
      expect(what, frame.frame.type).not.toMatch(/undefined|null|NaN|\[object|^$/);
    }
  });
});

test('waiting for input has a sentence, and so has continuing without it', () => {
  const stream = readFileSync(new URL('input-awaited.jsonl', STREAMS), 'utf8').trimEnd().split('\n');
  const said = stream.map((line) => sentenceOf(readFrame((JSON.parse(line) as { frame: Json }).frame)).what);
  expect(said.filter((what) => /wait|running|resumed/i.test(what))).toEqual([
    'Running',
    'Waiting for input',
    'Running',
    'Waiting for input',
    'Resumed',
    'Waiting for input',
  ]);
});

test('the frames of a session have sentences, and lead to what they are about', () => {
  const session = { stream_kind: 'session', stream_id: 'cli', session_id: 'cli', timestamp_ms: 1 };
  const counters = { tasks_started: 1, tasks_ended: 0, mailbox_items: 0, mailbox_acknowledged: 0, mailbox_from_seq: 0 };
  const said = (seq: number, fields: { [name: string]: Json }): unknown => {
    const { what, kind, href } = sentenceOf(readFrame({ id: `cli/${seq}`, seq, ...session, ...counters, ...fields }));
    return [what, kind, href];
  };
  const task = { task_id: 't', title: 'Build', label: null };
  const hit = { task_id: 't', watcher_id: 'w1', event: 'failed', offset_bytes: 0, matched: 'error: x', task_seq: 5 };
  expect(said(0, { type: 'session_started', actor: 'user:a' })).toEqual(['Session started', 'life', undefined]);
  expect(said(1, { type: 'session_task_started', tool_name: 'bash', ...task })).toEqual(['Task requested: Build', 'control', '#/tasks/t']);
  expect(said(2, { type: 'session_watcher_hit', stream: 'stderr', ...hit })).toEqual([
    'failed: “error: x” on stderr', 'hit', '#/tasks/t/output?seq=5',
  ]);
  expect(said(3, { type: 'session_watcher_hit', stream: 'pty', ...hit })).toEqual([
    'failed: “error: x” in the terminal', 'hit', '#/tasks/t/replay?seq=5',
  ]);
  expect(said(4, { type: 'tool_ended', outcome: 'nonzero', exit_code: 2, task_seq: 7, ...task })).toEqual([
    'Build: Failed (2)', 'trouble', '#/tasks/t/timeline?seq=7',
  ]);
  expect(said(5, { type: 'session_acknowledged', through_seq: 4, actor: 'user:a' })).toEqual([
    'Mailbox acknowledged up to frame 4', 'control', undefined,
  ]);
  expect(said(6, { type: 'session_ended', reason: 'done', actor: 'user:a' })).toEqual(['Session ended: done', 'life', undefined]);
});

test('a lost task says so once', () => {
  const stream = readFileSync(new URL('lost.jsonl', STREAMS), 'utf8').trimEnd().split('\n');
  const { frame } = JSON.parse(stream.at(-1) ?? '') as { frame: Record<string, Json> };
  const told = sentenceOf(readFrame({ ...frame, error: 'lost: the server died while it ran' }));
  expect(told.what).toBe('Lost: the server died while it ran');
});

test('a frame of an unknown type is named by its type', () => {
  const frame = readFrame({
    id: 't/0',
    stream_kind: 'task',
    stream_id: 't',
    session_id: 't',
    timestamp_ms: 1,
    seq: 0,
    type: 'task_new_thing',
  });
  expect(sentenceOf(frame)).toEqual({ what: 'task new thing', who: null, kind: 'other' });
});

test.each([
  ['ls\r', 'ls⏎'],
  ['\x03', '^C'],
  ['\x1b[A', '⎋[A'],
  ['\x7f\t', '⌫⇥'],
  ['größe', 'größe'],
])('%j typed reads %s', (keys, shown) => {
  expect(typed(Buffer.from(keys).toString('base64'))).toBe(shown);
});

test('a link to a missing frame says which frames exist', () => {
  expect(noFrame(99, { count: 42, isOpen: false })).toBe('There is no frame 99: they are numbered 0 to 41.');
  expect(noFrame(99, { count: 42, isOpen: true })).toBe('There is no frame 99 yet: they are numbered 0 to 41.');
  expect(noFrame(NaN, { count: 42, isOpen: true })).toBe('The link names no frame: they are numbered 0 to 41.');
});
