import { expect, test } from 'vitest';
import { PLAIN, spansOf } from './ansi';

test('a line without colours is one span', () => {
  expect(spansOf('hello\tworld')).toEqual({ spans: [{ text: 'hello\tworld', style: PLAIN }], end: PLAIN });
  expect(spansOf('').spans).toEqual([]);
});

test('colours begin and end at their codes, and continue over the line’s end', () => {
  const { spans, end } = spansOf('a\x1b[1;31mb\x1b[0mc\x1b[94md');
  expect(spans.map(({ text, style }) => [text, style.fg, style.bold])).toEqual([
    ['a', null, false],
    ['b', 1, true],
    ['c', null, false],
    ['d', 12, false],
  ]);
  expect(end.fg).toBe(12);
});

test.each([
  ['38;5;1', 1],
  ['38;5;196', 'rgb(255 0 0)'],
  ['38;5;244', 'rgb(128 128 128)'],
  ['38;2;1;2;3', 'rgb(1 2 3)'],
  ['38:2:1:2:3', 'rgb(1 2 3)'],
  ['31;39', null],
])('%s is the colour %s', (codes, colour) => {
  expect(spansOf(`\x1b[${codes}mx`).spans[0]?.style.fg).toBe(colour);
});

test('codes that are not colours are removed', () => {
  const noise = '\x1b[2K\x1b[1;1Ha\x1b]0;title\x07b\x1b(Bc\x07d\x1b[?25le\x1b[>4;2m';
  expect(
    spansOf(noise)
      .spans.map(({ text }) => text)
      .join(''),
  ).toBe('abcde');
  expect(spansOf(noise).end).toEqual(PLAIN);
});
