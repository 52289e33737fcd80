import { Terminal } from '@xterm/headless';
import { expect, test } from 'vitest';
import { resize, WholeCharacters } from './exact';

async function wrote(terminal: Terminal, text: string): Promise<void> {
  await new Promise<void>((done) => terminal.write(text, done));
}

test('cells beyond a new edge of the other screen do not come back', async () => {
  const terminal = new Terminal({ rows: 4, cols: 20, allowProposedApi: true });
  await wrote(terminal, '\x1b[?1049h\x1b[2;1H0123456789abcdef');
  resize(terminal, 4, 8);
  resize(terminal, 4, 20);
  expect(terminal.buffer.active.getLine(1)?.translateToString(true)).toBe('01234567');
});

test('the other screen has room for its rows and no more', async () => {
  const terminal = new Terminal({ rows: 9, cols: 20, allowProposedApi: true });
  resize(terminal, 3, 20);
  await wrote(terminal, '\x1b[?1049h1\r\n2\r\n3\r\n4\r\n5');
  expect(terminal.buffer.active.length).toBe(3);
  resize(terminal, 5, 20);
  expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('3');
});

test('a terminal is at least as wide as a wide character, which it keeps', async () => {
  const shown = [1, 2].map(async (cols) => {
    const terminal = new Terminal({ rows: 4, cols: 20, allowProposedApi: true });
    await wrote(terminal, 'line 0 done\r\nline 1 done\r\n');
    resize(terminal, 1, cols);
    resize(terminal, 4, 20);
    return [0, 1, 2, 3].map((row) => terminal.buffer.active.getLine(row)?.translateToString(true));
  });
  expect(await shown[0]).toEqual(await shown[1]);
});

test('half a wide character at a new edge is removed', async () => {
  const terminal = new Terminal({ rows: 4, cols: 10, allowProposedApi: true });
  await wrote(terminal, '漢字漢字');
  resize(terminal, 4, 3);
  expect(terminal.buffer.active.getLine(0)?.getCell(2)?.getChars()).toBe('');
});

test('characters are passed on when they are complete, wherever they are cut', () => {
  const text = 'x\u200dy 漢字 😀 é\u00a0';
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at <= bytes.length; at++) {
    const characters = new WholeCharacters();
    const parts = [characters.of(bytes.subarray(0, at)), characters.of(bytes.subarray(at))];
    expect(parts.map((part) => new TextDecoder('utf-8', { fatal: true }).decode(part)).join('')).toBe(text);
  }
});

test('bytes that are not text are passed on too', () => {
  const characters = new WholeCharacters();
  expect([...characters.of(Uint8Array.of(0xff, 0xc3))]).toEqual([0xff]);
  expect([...characters.of(Uint8Array.of(0x41))]).toEqual([0xc3, 0x41]);
  expect([...characters.of(Uint8Array.of(0x80, 0x80, 0x80, 0x80))]).toHaveLength(4);
});
