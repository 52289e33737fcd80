import { describe, expect, test } from 'vitest';
import { marksAt, nearest } from './strip';

describe('a strip', () => {
  test('has as many marks as pixels, whatever the number of places', () => {
    const places = Array.from({ length: 10_000 }, (_, i) => i / 9_999);
    expect(marksAt(places, 100)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  test('marks both ends, and no place outside', () => {
    expect(marksAt([1, 0, -0.1, 1.1, NaN], 50)).toEqual([0, 49]);
  });

  test('takes a click near a mark for that mark, and no other click', () => {
    expect(nearest([0.1, 0.5, 0.9], 0.52, 0.05)).toBe(1);
    expect(nearest([0.1, 0.5, 0.9], 0.3, 0.05)).toBe(-1);
    expect(nearest([], 0.3, 0.05)).toBe(-1);
  });
});
