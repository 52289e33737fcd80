import { expect, test } from 'vitest';
import { usageOf } from './words';

test.each([
  [{ input: 1200, output: 340, microUsd: 5_100 }, '1,200 tokens in · 340 out · $0.0051'],
  [{ input: 0, output: 1, microUsd: 0 }, '0 tokens in · 1 out'],
  [{ input: 1, output: 1, microUsd: 1_234_567 }, '1 tokens in · 1 out · $1.23'],
  [{ input: 0, output: 0, microUsd: 43_100 }, '$0.0431'],
  [{ input: 1, output: 1, microUsd: 500_000 }, '1 tokens in · 1 out · $0.50'],
])('the usage %j is shown as %s', (usage, words) => {
  expect(usageOf(usage)).toBe(words);
});
