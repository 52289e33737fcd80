import { describe, expect, test } from 'vitest';
import { LineMap } from './line-map';

const log = (offset_bytes: number, bytes: number, first_line: number | null, lines: number | null) =>
  ({ offset_bytes, bytes, first_line, lines }) as Parameters<LineMap['add']>[0];

describe('the line of a byte', () => {
  test('is exact where each frame has one line', () => {
    const map = new LineMap();
    for (let i = 0; i < 5; i++) map.add(log(i * 10, 10, i + 1, 1));
    expect([0, 9, 10, 44, 49].map((offset) => map.lineAt(offset))).toEqual([1, 1, 2, 5, 5]);
  });

  test('lies between the first and the last line of its frame', () => {
    const map = new LineMap();
    map.add(log(0, 1000, 1, 100));
    map.add(log(1000, 10, 101, 1));
    expect(map.lineAt(500)).toBe(51);
    expect(map.lineAt(999)).toBe(100);
    expect(map.lineAt(5000)).toBe(101);
  });

  test('is estimated before the first known frame', () => {
    const map = new LineMap();
    map.add(log(1000, 10, 101, 1));
    expect(map.lineAt(0)).toBe(1);
    expect(map.lineAt(500)).toBe(51);
    const earlier = new LineMap();
    earlier.add(log(490, 20, 3, 1));
    map.prepend(earlier);
    expect(map.lineAt(500)).toBe(3);
  });

  test('is unknown where no frame has lines', () => {
    const map = new LineMap();
    map.add(log(0, 10, null, null));
    expect(map.lineAt(5)).toBeNull();
  });
});
