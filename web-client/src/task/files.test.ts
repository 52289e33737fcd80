import { expect, test } from 'vitest';
import { previewOf } from './files';

const utf8 = new TextEncoder();

test('an output that is small enough is shown whole, and nothing is said to be missing', () => {
  expect(previewOf(utf8.encode('one\r\n\x1b[31mtwo\x1b[0m\n'), 17)).toEqual({ text: 'one\ntwo', rest: '' });
});

test('of one with many lines the first are shown, and how much comes after them is said', () => {
  const twenty = utf8.encode('line\n'.repeat(20));
  expect(previewOf(twenty, 100)).toEqual({ text: 'line\n'.repeat(12).trimEnd(), rest: 'and 40 B more' });
  expect(previewOf(twenty, 5_000_000).rest).toBe('and 4.8 MiB more');
});

test('of one with long lines as much as was asked for is shown, no character of it cut', () => {
  const cut = utf8.encode('größe').subarray(0, 3);
  expect(previewOf(cut, 7)).toEqual({ text: 'gr', rest: 'and 4 B more' });
});
