import { Terminal } from '@xterm/headless';
import type { Terminal as PageTerminal } from '@xterm/xterm';
import { describe, expect, test } from 'vitest';
import { plain } from '../log/ansi';
import { MergedLines, shown } from '../log/lines';
import { SCROLLBACK_LINES, Transcript } from './transcript';

const utf8 = new TextEncoder();

function transcriptOf(rows = 5, cols = 20): Transcript {
  return new Transcript(new Terminal({ rows, cols, scrollback: SCROLLBACK_LINES, allowProposedApi: true }) as unknown as PageTerminal);
}

/** All lines of an output. */
async function linesOf(text: string, rows?: number, cols?: number, pieces = [text]): Promise<string[]> {
  const transcript = transcriptOf(rows, cols);
  const lines = [];
  for (const piece of pieces) lines.push(...(await transcript.write(utf8.encode(piece), 0)));
  return [...lines, ...transcript.screen()].map((line) => plain(line.text));
}

describe('the lines of a terminal', () => {
  test('are those above the screen and on it, from the first one on', async () => {
    const expected = Array.from({ length: 12_000 }, (_, i) => `line ${i}`);
    expect(await linesOf(expected.join('\r\n'))).toEqual(expected);
  });

  test('are what the terminal shows of them', async () => {
    expect(await linesOf('10 %\r20 %\r\nlss\b \r\nabc\x1b[1A\x1b[2KX')).toEqual(['20 %', '   X', 'abc']);
  });

  test('are whole although the terminal breaks them', async () => {
    const long = 'abcdefghij'.repeat(7);
    expect(await linesOf(`${long}\r\nb\r\n${long}\r\nc\r\nd\r\ne\r\nf`)).toEqual([long, 'b', long, 'c', 'd', 'e', 'f']);
  });

  test('stay although the program clears the scrollback', async () => {
    expect(await linesOf('1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\x1b[H\x1b[2J\x1b[3Jnew')).toEqual(['1', '2', 'new']);
  });

  test('lack what was on the other screen', async () => {
    expect(await linesOf(`before\r\n\x1b[?1049h${'editor\r\n'.repeat(30)}\x1b[?1049lafter`)).toEqual(['before', 'after']);
  });

  test('are the same wherever the output is cut', async () => {
    const text = `größe 漢字 😀\r\n\x1b[31mred\x1b[0m\r\n${'x'.repeat(50)}\r\n`.repeat(9);
    const whole = await linesOf(text);
    for (let cut = 1; cut < text.length; cut += 13) {
      if (/[\ud800-\udbff]/.test(text[cut - 1]!)) continue; // half a character
      expect(await linesOf(text, 5, 20, [text.slice(0, cut), text.slice(cut)])).toEqual(whole);
    }
  });

  test('have their colours', async () => {
    const transcript = transcriptOf();
    await transcript.write(utf8.encode('a\x1b[1;31mb\x1b[0;38;5;200mc\x1b[0;48;2;1;2;3md\x1b[0;7me'), 0);
    const [line] = transcript.screen();
    expect(shown(line!.text).map(({ text, style }) => [text, style.fg, style.bg, style.bold, style.inverse])).toEqual([
      ['a', null, null, false, false],
      ['b', 1, null, true, false],
      ['c', 'rgb(255 0 215)', null, false, false],
      ['d', null, 'rgb(1 2 3)', false, false],
      ['e', null, null, false, true],
    ]);
  });

  test('have the time at which they were begun', async () => {
    const transcript = transcriptOf();
    const lines = [];
    for (const at of [10, 20, 30]) lines.push(...(await transcript.write(utf8.encode('a\r\nb\r\nc\r\n'), at)));
    expect([...lines, ...transcript.screen()].map(({ at }) => at)).toEqual([10, 10, 10, 20, 20, 20, 30, 30, 30]);
  });
});

test('lines of a screen are replaced, with the same numbers', () => {
  const lines = new MergedLines();
  lines.rendered('pty', [{ text: 'a' }], [{ text: '$ l' }]);
  lines.rendered('pty', [], [{ text: '$ ls' }, { text: 'b' }]);
  expect(lines.settled).toBe(1);
  lines.rendered('pty', [{ text: '$ ls' }], [{ text: 'b' }]);
  expect(Array.from({ length: lines.count }, (_, i) => [lines.at(i)?.number, lines.textAt(i)])).toEqual([[1, 'a'], [2, '$ ls'], [3, 'b']]);
  expect(lines.settled).toBe(2);
});
