import { describe, expect, test } from 'vitest';
import { MergedLines, RangeLines, shown, type Lines } from './lines';

const utf8 = new TextEncoder();

function texts(lines: Lines): string[] {
  return Array.from({ length: lines.count }, (_, i) => {
    const line = lines.at(i);
    return line === undefined
      ? 'missing'
      : `${line.channel} ${line.number ?? '-'} ${line.spans.map(({ text }) => text).join('')}`;
  });
}

describe('lines of several channels', () => {
  test('stand in the order in which they began, each whole', () => {
    const lines = new MergedLines();
    lines.add('stdout', utf8.encode('one\ntw'));
    lines.add('stderr', utf8.encode('oh\n'));
    lines.add('stdout', utf8.encode('o\n\nthree'));
    expect(texts(lines)).toEqual(['stdout 1 one', 'stdout 2 two', 'stderr 1 oh', 'stdout 3 ', 'stdout 4 three']);
  });

  test('are the same however their bytes are cut', () => {
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

  test('have no numbers where the beginning is not known', () => {
    const lines = new MergedLines();
    lines.joined('stdout', 10);
    lines.add('stdout', utf8.encode('rest\nline\n'));
    expect(texts(lines)).toEqual(['stdout - rest', 'stdout - line']);
  });

  test('say what is left out between them, and go on behind it', () => {
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
      'stdout - … 2.9 MiB of stdout left out here …',
      'stdout - rest',
      'stdout - line',
      'stderr 2 no',
    ]);
    expect(lines.at(4)?.spans[0]?.style.fg).toBe(null);
  });

  test('go oldest first when there are too many', () => {
    const lines = new MergedLines();
    lines.add('stdout', utf8.encode('x\n'.repeat(120_000)));
    expect(lines.count).toBe(100_000);
    expect(lines.dropped).toBe(20_000);
    expect(lines.at(0)?.number).toBe(20_001);
  });
});

test('a carriage return writes the line anew', () => {
  expect(shown('10%\r20%\r100%\r').map(({ text }) => text)).toEqual(['100%']);
  expect(shown('dos\r').map(({ text }) => text)).toEqual(['dos']);
});

test('of a channel only what is looked at is fetched', async () => {
  const asked: string[] = [];
  let changed = (): void => undefined;
  const lines = new RangeLines(
    'stdout',
    (first, last) => {
      asked.push(`${first}-${last}`);
      return Promise.resolve(Array.from({ length: last - first + 1 }, (_, i) => `line ${first + i}\n`).join(''));
    },
    () => changed(),
  );
  lines.grown(10_000_000, 100_000_000);
  const loaded = new Promise<void>((resolve) => (changed = resolve));
  expect(lines.at(9_000_123)).toBeUndefined();
  await loaded;
  expect(lines.at(9_000_123)?.spans[0]?.text).toBe('line 9000124');
  expect(lines.at(9_000_123)?.number).toBe(9_000_124);
  expect(asked).toEqual(['9000001-9000200']);
});

test('a last line that goes on is fetched anew, and is there as it was until then', async () => {
  let text = 'start';
  let changed = (): void => undefined;
  const lines = new RangeLines(
    'stdout',
    () => Promise.resolve(text),
    () => changed(),
  );
  const next = (): Promise<void> => new Promise((resolve) => (changed = resolve));
  lines.grown(1, 5);
  expect(lines.at(0)).toBeUndefined();
  await next();
  expect(lines.at(0)?.spans[0]?.text).toBe('start');
  text = 'start and end';
  lines.grown(1, 13);
  expect(lines.at(0)?.spans[0]?.text).toBe('start');
  await next();
  expect(lines.at(0)?.spans[0]?.text).toBe('start and end');
});
