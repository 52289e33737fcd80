import { expect, test } from 'vitest';
import { previewOf, sizeOf } from './files';

const utf8 = new TextEncoder();

test('a small output is shown completely', () => {
  expect(previewOf(utf8.encode('one\r\n\x1b[31mtwo\x1b[0m\n'))).toEqual({ text: 'one\ntwo', end: 18 });
});

test('the preview of many lines has the first ones, and says where they end', () => {
  const twenty = utf8.encode('line\n'.repeat(20));
  expect(previewOf(twenty)).toEqual({ text: 'line\n'.repeat(12).trimEnd(), end: 60 });
});

test('the preview of long lines cuts no character', () => {
  const cut = utf8.encode('größe').subarray(0, 3);
  expect(previewOf(cut)).toEqual({ text: 'gr', end: 3 });
});

test.each([
  [{ bytes_total: 0, bytes_stored: 0 }, 'no output'],
  [{ bytes_total: 2048, bytes_stored: 2048 }, '2.0 KiB written, all stored'],
  [{ bytes_total: 2048, bytes_stored: 1024 }, '2.0 KiB written, 1.0 KiB stored'],
])('the size of %j is: %s', (log, words) => {
  expect(sizeOf(log)).toBe(words);
});
