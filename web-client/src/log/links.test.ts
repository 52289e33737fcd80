import { expect, test } from 'vitest';
import { piecesOf } from './links';

const links = (text: string): (string | null)[] => piecesOf(text).flatMap(({ text: shown, href }) => (href === null ? [] : [shown]));

test.each([
  ['see https://example.com/build/42.', ['https://example.com/build/42']],
  ['(https://example.com/a_(b)), <http://x.org:80/?q=1&r=%20#f>', ['https://example.com/a_(b)', 'http://x.org:80/?q=1&r=%20#f']],
  ['"https://example.com/": ok', ['https://example.com/']],
  ['http://localhost:7341/#/tasks/1, HTTPS://EXAMPLE.COM', ['http://localhost:7341/#/tasks/1', 'HTTPS://EXAMPLE.COM']],
])('%j has its addresses', (text, expected) => {
  expect(links(text)).toEqual(expected);
  expect(piecesOf(text).map((piece) => piece.text).join('')).toBe(text);
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'ftp://x.org', 'https://', 'http:// x', 'https://[', 'xhttps:/x'])(
  '%j is no link',
  (text) => {
    expect(links(text)).toEqual([]);
  },
);

test('an address cannot hide its end by turning its direction', () => {
  expect(links('https://good.org/\u202egro.live//:sptth')).toEqual(['https://good.org/']);
});

test('an endless address is text', () => {
  expect(links(`https://x.org/${'y'.repeat(3_000)}`)).toEqual([]);
});
