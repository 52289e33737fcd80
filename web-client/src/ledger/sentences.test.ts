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

test('waiting for input has a sentence, and so has going on without it', () => {
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
  expect(noFrame(99, { next_seq: 42, outcome: 'succeeded' })).toBe('There is no frame 99: they are numbered 0 to 41.');
  expect(noFrame(99, { next_seq: 42, outcome: null })).toBe('There is no frame 99 yet: they are numbered 0 to 41.');
  expect(noFrame(NaN, { next_seq: 42, outcome: null })).toBe('The link names no frame: they are numbered 0 to 41.');
});
