import { expect, test } from 'vitest';
import { previewOf } from './files';

const utf8 = new TextEncoder();

test('an output that is small enough is shown whole', () => {
  expect(previewOf(utf8.encode('one\r\n\x1b[31mtwo\x1b[0m\n'))).toEqual({ text: 'one\ntwo', end: 18 });
});

test('of one with many lines the first are shown, and where they end is told', () => {
  const twenty = utf8.encode('line\n'.repeat(20));
  expect(previewOf(twenty)).toEqual({ text: 'line\n'.repeat(12).trimEnd(), end: 60 });
});

test('of one with long lines as much as was asked for is shown, no character of it cut', () => {
  const cut = utf8.encode('größe').subarray(0, 3);
  expect(previewOf(cut)).toEqual({ text: 'gr', end: 3 });
});
