import { describe, expect, test } from 'vitest';
import { plain, PLAIN, spansOf } from './ansi';
import { MergedLines, seen, shown, type Lines } from './lines';

const utf8 = new TextEncoder();
const MI = 1024 * 1024;

function texts(lines: Lines): string[] {
  return Array.from({ length: lines.count }, (_, i) => {
    const line = lines.at(i);
    return line === undefined
      ? 'missing'
      : `${line.channel} ${line.number ?? '-'} ${line.spans.map(({ text }) => text).join('')}`;
  });
}

describe('lines of several channels', () => {
  test('are in the order in which they began, each as a whole', () => {
    const lines = new MergedLines();
    lines.add('stdout', utf8.encode('one\ntw'));
    lines.add('stderr', utf8.encode('oh\n'));
    lines.add('stdout', utf8.encode('o\n\nthree'));
    expect(texts(lines)).toEqual(['stdout 1 one', 'stdout 2 two', 'stderr 1 oh', 'stdout 3 ', 'stdout 4 three']);
  });

  test('are the same wherever their bytes are cut', () => {
    const bytes = utf8.encode('größe 漢字\n\x1b[31mred\nstill\x1b[0m\n\nend');
    const whole = new MergedLines();
    whole.add('stdout', bytes);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const two = new MergedLines();
      two.add('stdout', bytes.subarray(0, cut));
      two.add('stdout', bytes.subarray(cut));
      expect(texts(two)).toEqual(texts(whole));
      expect(two.at(2)?.spans[0]?.style.fg).toBe(1);
    }
  });

  test('have no numbers if the beginning is unknown', () => {
    const lines = new MergedLines();
    lines.joined('stdout', 10);
    lines.add('stdout', utf8.encode('rest\nline\n'));
    expect(texts(lines)).toEqual(['stdout - rest', 'stdout - line']);
  });

  test('have a note for skipped output, and continue after it', () => {
    const lines = new MergedLines();
    lines.add('stdout', utf8.encode('one\n\x1b[31mtw'));
    lines.add('stderr', utf8.encode('oh\n'));
    lines.joined('stdout', 3_000_000);
    lines.joined('stderr', 3);
    lines.add('stdout', utf8.encode('rest\nline\n'));
    lines.add('stderr', utf8.encode('no\n'));
    expect(texts(lines)).toEqual([
      'stdout 1 one',
      'stdout 2 tw',
      'stderr 1 oh',
      'stdout - … 2.9 MiB of stdout skipped here …',
      'stdout - rest',
      'stdout - line',
      'stderr 2 no',
    ]);
    expect(lines.at(4)?.spans[0]?.style.fg).toBe(null);
  });

  test('are dropped oldest first when there are too many', () => {
    const lines = new MergedLines();
    lines.add('stdout', utf8.encode('x\n'.repeat(120_000)));
    expect(lines.count).toBe(100_000);
    expect(lines.dropped).toBe(20_000);
    expect(lines.at(0)?.number).toBe(20_001);
  });

  test('are dropped oldest first when they are too long together', () => {
    const lines = new MergedLines();
    const long = utf8.encode(`${'x'.repeat(MI - 1)}\n`);
    for (let i = 0; i < 80; i++) lines.add('stdout', long);
    expect(lines.count).toBeGreaterThanOrEqual(64);
    expect(lines.count).toBeLessThanOrEqual(71);
    expect(lines.dropped).toBe(80 - lines.count);
    expect(lines.at(0)?.number).toBe(lines.dropped + 1);
    expect(lines.at(lines.count - 1)?.number).toBe(80);
  }, 30_000); // for 80 MB, on a machine that may be busy

  test('keep their numbers although an unfinished one was dropped', () => {
    const lines = new MergedLines();
    lines.add('stderr', utf8.encode('begun'));
    lines.add('stdout', utf8.encode('x\n'.repeat(120_000)));
    lines.add('stderr', utf8.encode(' and ended\nnext'));
    lines.add('stdout', utf8.encode('end'));
    expect(texts(lines).slice(-2)).toEqual(['stderr 2 next', 'stdout 120001 end']);
  });

  test('keep only their visible text: overwritten text takes no room', () => {
    const lines = new MergedLines();
    for (let i = 0; i < 1000; i++) lines.add('stdout', utf8.encode(`\r${i} of 1000 \x1b[32m${'#'.repeat(100)}\x1b[0m`));
    expect(lines.textAt(0)).toBe(`999 of 1000 \x1b[32m${'#'.repeat(100)}\x1b[0m`);
    lines.add('stdout', utf8.encode('\r\r'));
    lines.add('stdout', utf8.encode('\r'));
    expect(texts(lines)).toEqual([`stdout 1 999 of 1000 ${'#'.repeat(100)}`]);
    lines.add('stdout', utf8.encode('done\nnext'));
    expect(texts(lines)).toEqual(['stdout 1 done', 'stdout 2 next']);
  });

  test('look as if all was kept, wherever they are cut and overwritten', () => {
    let seed = 11;
    const random = (below: number): number => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
    for (let round = 0; round < 500; round++) {
      const pieces = Array.from({ length: random(12) }, () => ['a', 'b', '\r', '\r\n', '\n', '\x1b[31m', '\x1b[0m'][random(7)]);
      const text = pieces.join('');
      const lines = new MergedLines();
      for (let at = 0, to; at < text.length; at = to) lines.add('stdout', utf8.encode(text.slice(at, (to = at + 1 + random(4)))));
      let begin = PLAIN;
      const expected = text.replace(/\n$/, '').split('\n').map((line) => {
        const spans = shown(line, begin);
        begin = spansOf(line, begin).end;
        return spans;
      });
      expect(Array.from({ length: lines.count }, (_, i) => lines.at(i)?.spans), JSON.stringify(text)).toEqual(
        text === '' ? [] : expected,
      );
    }
  });

  test('are cut if too long, and the next one has its colour and its number', () => {
    const lines = new MergedLines();
    lines.add('stdout', utf8.encode('\x1b[31mred'));
    const piece = utf8.encode('x'.repeat(64 * 1024));
    for (let i = 0; i < 40; i++) lines.add('stdout', piece);
    expect(lines.textAt(0).length).toBe(MI);
    expect(texts(lines)[0]).toMatch(/^stdout 1 redx+ … 2611448 characters more of this line are in the file$/);
    lines.add('stdout', utf8.encode('\x1b[0'));
    lines.add('stdout', utf8.encode('m\nplain'));
    expect(lines.at(0)?.spans[0]?.style.fg).toBe(1);
    expect(lines.at(1)).toEqual({ channel: 'stdout', number: 2, spans: [{ text: 'plain', style: PLAIN }] });
  });

  test('continue after a carriage return although they were too long before', () => {
    const lines = new MergedLines();
    for (let i = 0; i < 3; i++) lines.add('stdout', utf8.encode('x'.repeat(MI)));
    lines.add('stdout', utf8.encode('\r'));
    expect(texts(lines)[0]).toContain(' characters more of this line are in the file');
    lines.add('stdout', utf8.encode('short'));
    expect(texts(lines)).toEqual(['stdout 1 short']);
  });
});

test('a carriage return starts the line again', () => {
  expect(shown('10%\r20%\r100%\r').map(({ text }) => text)).toEqual(['100%']);
  expect(shown('dos\r').map(({ text }) => text)).toEqual(['dos']);
});

test('a search finds the visible text of a line', () => {
  for (const line of ['', 'a\x1b[1;31merror\x1b[0m: no', '10%\r\x1b[32m20%\r', '\x1b]0;title\x07x\ty\b\x1b(B', '\x1b]8;;open'])
    expect(plain(seen(line))).toBe(shown(line).map(({ text }) => text).join(''));
});

test('a long line is drawn in part, with a note of the rest', () => {
  expect(shown('x'.repeat(1_000_000)).map(({ text }) => text)).toEqual([
    'x'.repeat(10_000),
    ' … 990000 characters more of this line are in the file',
  ]);
});

test('a line with a thousand colours is drawn in part', () => {
  const spans = shown('\x1b[31mab\x1b[32mcd'.repeat(500));
  expect(spans.length).toBe(251);
  expect(spans.at(-1)?.text).toBe(' … 1500 characters more of this line are in the file');
});

test('an unchanged line is the same object', () => {
  const lines = new MergedLines();
  lines.add('stdout', utf8.encode('one\ntwo'));
  const [one, two] = [lines.at(0), lines.at(1)];
  lines.add('stdout', utf8.encode(' and more\nthree'));
  expect(lines.at(0)).toBe(one);
  expect(lines.at(1)).not.toBe(two);
});
