import { describe, expect, test } from 'vitest';
import { bytes, duration, factsOf, moodOf, type Json } from './health';

describe('the facts of an answer', () => {
  test('keep the server’s order and begin with the names of the keys above', () => {
    const answer: Json = {
      status: 'ok',
      version: '0.1.0',
      journal: { undrained_bytes: 3_145_728, segments: 2 },
      streams: 100_000,
      uptime_ms: 93_784_000,
    };
    expect(factsOf(answer)).toEqual([
      { term: 'Status', text: 'ok' },
      { term: 'Version', text: '0.1.0' },
      { term: 'Journal undrained bytes', text: '3.0 MiB' },
      { term: 'Journal segments', text: '2' },
      { term: 'Streams', text: '100\u202f000' },
      { term: 'Uptime', text: '1 d 2 h' },
    ]);
  });

  test('show unknown keys', () => {
    expect(factsOf({ new_thing: [1, 'two'], gone: null, draining: true })).toEqual([
      { term: 'New thing', text: '[1,"two"]' },
      { term: 'Gone', text: 'none' },
      { term: 'Draining', text: 'yes' },
    ]);
    expect(factsOf('fine')).toEqual([{ term: 'Answer', text: 'fine' }]);
  });
});

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1024 ** 2 - 1, '1.0 MiB'],
  [5 * 1024 ** 3, '5.0 GiB'],
])('%d bytes read %s', (count, text) => expect(bytes(count)).toBe(text));

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1000, '1 s'],
  [3_600_000, '1 h'],
  [3_661_000, '1 h 1 min'],
  [86_399_999, '23 h 59 min'],
])('%d ms read %s', (ms, text) => expect(duration(ms)).toBe(text));

test.each<[number, Json, string]>([
  [200, { status: 'ok' }, 'good'],
  [200, { status: 'Ready' }, 'good'],
  [200, { status: 'degraded' }, 'poor'],
  [200, null, 'poor'],
  [503, { status: 'ok' }, 'bad'],
])('HTTP %d with %j is %s', (httpStatus, answer, mood) => expect(moodOf(httpStatus, answer)).toBe(mood));
