import { expect, test } from 'vitest';
import { keyOf, letterOf } from './keys';

test('a shortcut is the letter that the keyboard writes, or without Latin letters the one at its place', () => {
  expect(keyOf({ key: 'n', code: 'KeyN' })).toBe('n');
  expect(keyOf({ key: 'n', code: 'KeyL' })).toBe('n'); // Dvorak
  expect(keyOf({ key: 'т', code: 'KeyN' })).toBe('n'); // Cyrillic
  expect(letterOf({ key: 'К', code: 'KeyR' })).toBe('r');
  expect(letterOf({ key: 'F', code: 'KeyF' })).toBe('f');
  expect(keyOf({ key: 'Dead', code: 'BracketLeft' })).toBe('Dead');
  expect(keyOf({ key: 'ArrowUp', code: 'ArrowUp' })).toBe('ArrowUp');
});
