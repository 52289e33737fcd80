import { describe, expect, test } from 'vitest';
import { visible } from './visible';

describe('a character that turns the direction of text', () => {
  test('is shown as a mark', () => {
    expect(visible('rm \u202etxt.exe')).toBe('rm ⟨U+202E⟩txt.exe');
    for (const each of '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069') {
      expect(visible(`a${each}b`)).toMatch(/^a⟨U\+[0-9A-F]{4}⟩b$/);
    }
  });

  test('is not a letter of a language written from the right', () => {
    expect(visible('שלום עולם, مرحبا')).toBe('שלום עולם, مرحبا');
  });
});
