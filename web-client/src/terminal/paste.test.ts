import { expect, test } from 'vitest';
import { pasteable, preview, questionOf } from './paste';
import { withCtrl } from './soft-keys';

test.each<[string, boolean, string | null]>([
  ['ls', false, null],
  ['a\nb', true, null],
  ['ls\n', false, 'Paste a line with its end? It runs at once.'],
  ['a\nb', false, 'Paste 2 lines? Each runs at once.'],
  ['a\r\nb\r\n', false, 'Paste 2 lines? Each runs at once.'],
])('pasting %j (bracketed: %s) asks: %s', (pasted, whole, question) => {
  expect(questionOf(pasted, whole)).toBe(question);
});

test('pasted text cannot end the paste', () => {
  expect(pasteable('ls\x1b[201~\x9b201~rm x\r\n\tö\x7f')).toBe('ls[201~201~rm x\r\n\tö');
});

test('a long paste is shown by its beginning', () => {
  expect(preview('x\n'.repeat(99)).split('\n')).toHaveLength(13);
  expect(preview('x\n'.repeat(99))).toContain('and 88 more');
});

test.each([
  ['c', '\x03'],
  ['D', '\x04'],
  ['[', '\x1b'],
  [' ', '\0'],
  ['?', '\x7f'],
  ['1', '1'],
])('Ctrl and %s is %j', (typed, sent) => {
  expect(withCtrl(typed)).toBe(sent);
});
