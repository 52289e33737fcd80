import { expect, test } from 'vitest';
import type { ToolTaskOutputDelta } from '../frames/frames';
import { clockOf, LineTimes } from './times';

/** A record of frames with ten lines each, alternately of both channels; the time of a frame is its seq. */
function record(frames: number): { times: LineTimes; settled(): Promise<void>; read: () => number } {
  let read = 0;
  let drawn: () => void = () => undefined;
  const deltaOf = (seq: number): ToolTaskOutputDelta =>
    ({
      seq,
      timestamp_ms: 1_000 + seq,
      stream: seq % 2 === 0 ? 'stdout' : 'stderr',
      artifacts: { log: { first_line: 1 + Math.floor(seq / 2) * 10, lines: 10 } },
    }) as unknown as ToolTaskOutputDelta;
  const times = new LineTimes(
    async function* (from, to) {
      for (let seq = from; seq <= to; seq++, read++) yield deltaOf(seq);
    },
    async () => frames - 1,
    () => drawn(),
  );
  return { times, read: () => read, settled: async () => new Promise((resolve) => (drawn = resolve)) };
}

test('the time of a line is that of its frame', async () => {
  const { times, settled, read } = record(10_000);
  expect(times.of('stderr', 12_345)).toBeNull();
  await settled();
  const seq = Math.floor(12_344 / 10) * 2 + 1;
  expect(times.of('stderr', 12_345)).toBe(1_000 + seq);
  expect(times.of('stdout', 12_355)).toBe(1_000 + seq + 1);
  expect(read()).toBeLessThan(600);
});

test('lines around it are known at once, and others are read', async () => {
  const { times, settled } = record(10_000);
  times.of('stdout', 1);
  await settled();
  expect(times.of('stdout', 1_000)).toBe(1_000 + 198);
  expect(times.of('stdout', 40_000)).toBeNull();
  await settled();
  expect(times.of('stdout', 40_000)).toBe(1_000 + 7_998);
});

test('a line that is not there yet is asked for once, until there is more', async () => {
  const { times, settled, read } = record(10);
  times.of('stdout', 500);
  await settled();
  const before = read();
  expect(times.of('stdout', 500)).toBeNull();
  expect(read()).toBe(before);
  times.grown();
  times.of('stdout', 500);
  await settled();
  expect(read()).toBeGreaterThan(before);
});

test('a time of day has thousandths', () => {
  expect(clockOf(new Date(2026, 10, 20, 9, 5, 7, 42).getTime())).toBe('09:05:07.042');
});
