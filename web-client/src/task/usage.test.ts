import { expect, test } from 'vitest';
import type { UsageSample } from '../server/api';
import { cpuSteps, cpuTime, memorySteps, pathOf, Usage } from './usage';

function sample(seq: number, at: number, cpu_ms: number, cpu_percent: number, memory_bytes: number, more: Partial<UsageSample> = {}): UsageSample {
  return { seq, timestamp_ms: at, cpu_ms, cpu_percent, over_ms: 2_000, memory_bytes, memory_peak_bytes: memory_bytes, processes: 1, ...more };
}

const BUSY = sample(3, 12_000, 1_900, 95, 1_000);
const IDLE = sample(9, 60_000, 1_950, 1, 1_000);

test('a value holds until another is measured', () => {
  expect(cpuSteps([BUSY, IDLE], 90_000)).toEqual([
    { from: 10_000, to: 58_000, value: 95 },
    { from: 58_000, to: 90_000, value: 1 },
  ]);
  expect(memorySteps([BUSY, IDLE], 90_000)).toEqual([
    { from: 12_000, to: 60_000, value: 1_000 },
    { from: 60_000, to: 90_000, value: 1_000 },
  ]);
});

test('the CPU times of two runs are added, and nothing holds between them', () => {
  const again = sample(20, 200_000, 500, 25, 700);
  expect(cpuTime([BUSY, IDLE, again])).toBe(2_450);
  expect(cpuSteps([BUSY, IDLE, again], 210_000).slice(1)).toEqual([
    { from: 58_000, to: 60_000, value: 1 },
    { from: 198_000, to: 210_000, value: 25 },
  ]);
});

test('steps become one line, with a gap where nothing is known', () => {
  const steps = [
    { from: 0, to: 50, value: 100 },
    { from: 50, to: 60, value: 0 },
    { from: 80, to: 100, value: 50 },
  ];
  expect(pathOf(steps, 0, 100, 100, 200, 60)).toBe('M0.0 0.0H100.0L100.0 60.0H120.0M160.0 30.0H200.0');
  expect(pathOf([], 0, 0, 0, 200, 60)).toBe('');
});

test('samples that come while the record is read are shown once, after it', async () => {
  const shown: number[][] = [];
  const usage = new Usage((samples) => shown.push(samples.map(({ seq }) => seq)));
  await usage.read((from) => {
    if (from > 0) return Promise.resolve({ samples: [IDLE], next_seq: null });
    usage.add(IDLE);
    usage.add(sample(12, 64_000, 2_000, 1, 1_000));
    return Promise.resolve({ samples: [BUSY], next_seq: 5 });
  });
  usage.add(sample(15, 66_000, 2_000, 1, 1_000));
  expect(shown).toEqual([[3], [3, 9], [3, 9, 12], [3, 9, 12, 15]]);
});
