import { expect, test } from 'vitest';
import { partsOf } from './text';

const shown = (text: string): string[] => partsOf(text).map((part) => (part.isCode ? `[${part.text}]` : part.text));

test('paragraphs are parts, and their lines are preserved', () => {
  expect(shown('one\n  two\n\n\nthree')).toEqual(['one\n  two', 'three']);
});

test('code between fences is a part with its blank lines', () => {
  expect(shown('Look:\n```ts\na\n\nb\n```\ndone')).toEqual(['Look:', '[a\n\nb]', 'done']);
  expect(shown('~~~\n```\n~~~')).toEqual(['[```]']);
});

test('an open fence encloses the rest, while the message grows', () => {
  expect(shown('```\na\n\nb')).toEqual(['[a\n\nb]']);
  expect(shown('```\n')).toEqual(['[]']);
});

test('markup stays text', () => {
  expect(shown('<b>bold</b> & [a](javascript:x)')).toEqual(['<b>bold</b> & [a](javascript:x)']);
});

test('escape sequences and control characters are removed', () => {
  expect(shown('\x1b[31mred\x1b[0m\x07\r\nnext\0')).toEqual(['red\nnext']);
});

test('a paragraph without end is several parts', () => {
  const parts = partsOf('line of text\n'.repeat(2_000));
  expect(parts.length).toBeGreaterThan(4);
  expect(parts.map(({ text }) => text).join('\n')).toBe('line of text\n'.repeat(2_000).trim());
});
