import { expect, test } from 'vitest';
import { clockTime } from './words';

test.each([
  [0, '0:00'],
  [-5, '0:00'],
  [7_999, '0:07'],
  [750_000, '12:30'],
  [3_723_000, '1:02:03'],
])('%d ms is %s', (ms, text) => expect(clockTime(ms)).toBe(text));
