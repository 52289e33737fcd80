import { expect, test } from 'vitest';
import type { Hit } from './hits';
import { stepFrom } from './steps';

const hits = [5, 9, 12].map((seq) => ({ seq }) as Hit);

test.each([
  [0, 5, 1, 9],
  [2, 12, 1, 5], // from the last to the first
  [0, 5, -1, 12],
  [-1, null, 1, 5],
  [-1, null, -1, 12],
  [-1, 10, 1, 12], // from a frame that is no hit
  [-1, 10, -1, 9],
  [-1, 99, 1, 5],
  [-1, NaN, 1, 5],
] as const)('from the hit %i, or else the frame %j, a step of %i leads to the frame %i', (current, seq, by, wanted) => {
  expect(stepFrom(hits, current, seq, by)?.seq).toBe(wanted);
});

test('without hits, a step leads nowhere', () => {
  expect(stepFrom([], -1, null, 1)).toBeUndefined();
});
