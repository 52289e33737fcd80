import { describe, expect, test } from 'vitest';
import type { Frame } from '../frames/frames';
import { PlayedTime } from './played';

function record(...times: number[]): PlayedTime {
  const played = new PlayedTime();
  for (const [seq, at] of times.entries()) played.add({ known: false, frame: { seq, timestamp_ms: at } } as unknown as Frame);
  return played;
}

describe('the clock of a replay', () => {
  const busy = record(1_000, 1_100, 1_200, 61_200, 61_300); // a minute of silence

  test('cuts pauses', () => {
    expect(busy.total).toBe(2_300);
    expect([0, 1, 2, 3, 4].map((seq) => busy.ofFrame(seq))).toEqual([0, 100, 200, 2_200, 2_300]);
  });

  test.each([
    [0, 0, 1_000],
    [150, 1, 1_150],
    [1_200, 2, 2_200],
    [2_250, 3, 61_250],
    [9_999, 4, 61_300],
    [-5, 0, 1_000],
  ])('has at %d the frame %d', (played, seq, at) => {
    expect(busy.at(played)).toEqual({ seq, at });
  });

  test('goes on within a pause until it is cut', () => {
    expect(busy.ofMoment({ seq: 2, at: 1_700 })).toBe(700);
    expect(busy.ofMoment({ seq: 2, at: 40_000 })).toBe(2_200);
    expect(busy.ofMoment({ seq: 4, at: 61_300 })).toBe(2_300);
  });

  test('returns to each moment of each played time', () => {
    for (let played = 0; played <= busy.total; played += 7) expect(busy.ofMoment(busy.at(played))).toBe(played);
  });

  test('spreads the frames of a long record evenly where it does not know them', () => {
    const long = record(1_000, 1_100);
    long.skipTo(101, 51_100);
    expect(long.total).toBe(50_100);
    expect(long.ofFrame(51)).toBe(25_100);
    expect(long.at(25_100)).toEqual({ seq: 51, at: 26_100 });
    expect(long.ofMoment({ seq: 51, at: 26_100 })).toBe(25_100);
    expect([long.timeOf(1), long.timeOf(51), long.timeOf(101), long.next]).toEqual([1_100, undefined, 51_100, 102]);
  });

  test('does not go back when the clock of the server does', () => {
    expect(record(1_000, 900, 1_100).total).toBe(100);
  });
});
