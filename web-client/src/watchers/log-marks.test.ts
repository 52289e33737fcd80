import { describe, expect, test } from 'vitest';
import { MergedLines } from '../log/lines';
import type { Hit } from './hits';
import { placesIn } from './log-marks';

const hit = (channel: 'stdout' | 'stderr', offset: number): Hit => ({ channel, offset }) as Hit;
const lineOf = ({ offset }: Hit): number | null => (offset < 0 ? null : offset);

describe('the marks of a log', () => {
  test('of one channel are the hits of that channel', () => {
    const hits = [hit('stdout', 1), hit('stderr', 2), hit('stdout', 10), hit('stdout', -1)];
    const placed = placesIn(hits, lineOf, { count: 10, only: 'stdout' });
    expect(placed.map(({ place }) => place)).toEqual([0.05, 0.95]);
    expect(placed.map(({ hit: each }) => each)).toEqual([hits[0], hits[2]]);
  });

  test('of both channels lie where their lines are', () => {
    const merged = new MergedLines();
    merged.add('stdout', new TextEncoder().encode('one\ntwo\n'));
    merged.add('stderr', new TextEncoder().encode('bad\n'));
    merged.add('stdout', new TextEncoder().encode('three\n'));
    const lines = { count: merged.count, indicesOf: merged.indicesOf.bind(merged) };
    const placed = placesIn([hit('stderr', 1), hit('stdout', 3), hit('stdout', 9)], lineOf, lines);
    expect(placed.map(({ place }) => place)).toEqual([2.5 / 4, 3.5 / 4]);
  });

  test('leave out lines that have yet to come', () => {
    expect(placesIn([hit('stdout', 11)], lineOf, { count: 10, only: 'stdout' })).toEqual([]);
  });
});
