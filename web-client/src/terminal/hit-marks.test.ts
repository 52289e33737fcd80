import { describe, expect, test } from 'vitest';
import { linesOf } from './hit-marks';

const SCREEN = ['$ make', 'warning: a', 'warning: b', 'ok', 'warning: a', 'warning: x warning: x', '$'];
const textOf = (line: number): string | undefined => SCREEN[line];
const found = (...texts: string[]): number[] => linesOf(texts, SCREEN.length - 1, textOf).sort((a, b) => a - b);

describe('the line of a hit in a terminal', () => {
  test('is the last one with its text', () => {
    expect(found('warning: b')).toEqual([2]);
    expect(found('warning: a')).toEqual([4]);
  });

  test('lies above that of the next hit', () => {
    expect(found('warning: a', 'warning: b', 'warning: a')).toEqual([1, 2, 4]);
    expect(found('warning: a', 'warning: x', 'warning: x')).toEqual([4, 5]);
  });

  test('is none where the text has gone, and the others have theirs', () => {
    expect(found('warning: a', 'gone', 'warning: a')).toEqual([1, 4]);
    expect(found('', '\n')).toEqual([]);
  });

  test('of several lines is the first of them', () => {
    expect(found('warning: b\nok')).toEqual([2]);
  });

  test('is searched for only so far', () => {
    expect(linesOf(['$ make'], SCREEN.length - 1, textOf, 3)).toEqual([]);
  });
});
