import { describe, expect, test } from 'vitest';
import type { Channel } from '../frames/frames';
import { Refusal } from '../server/api';
import { MemoryBlocks, OutputBlocks, type Blocks, type End, type TextLines } from './blocks';
import { seen } from './lines';
import { matcherOf } from './pattern';
import { LogSearch, type Source } from './search';

const utf8 = new TextEncoder();
const never = new AbortController().signal;

function searchOf(blocks: Blocks, text = 'Nadel', channel: Channel | null = 'stdout'): LogSearch {
  return new LogSearch([{ channel, blocks }], matcherOf({ text, regex: false, matchCase: false }), () => undefined);
}

async function all(blocks: Blocks, text = 'Nadel'): Promise<readonly number[]> {
  const search = searchOf(blocks, text);
  await search.read();
  return search.linesOf('stdout');
}

function inSteps(text: string, step: number): OutputBlocks {
  const bytes = utf8.encode(text);
  const end = { bytes: bytes.length, lines: text === '' ? 0 : text.replace(/\n$/, '').split('\n').length };
  return new OutputBlocks(
    async (from, to) => {
      expect(from, 'what is not there is not asked for').toBeLessThan(bytes.length);
      return bytes.subarray(from, to);
    },
    async (): Promise<End> => end,
    step,
  );
}

function inMemory(lines: readonly string[]): TextLines & { dropped: number } {
  return {
    count: lines.length,
    dropped: 0,
    settled: lines.length,
    textAt(index) {
      return lines[index + this.dropped]!;
    },
  };
}

const TEXT = 'heu\nNADEL und nadel\n\nheü Nadel\nheu\nletzte nadel';
const STEPS = [1, 2, 3, 7, 16, 1000];

describe('a search of an output', () => {
  test.each(STEPS)('finds each line once, wherever it is cut (%d bytes)', async (step) => {
    expect(await all(inSteps(TEXT, step))).toEqual([1, 3, 5]);
    expect(await all(inSteps(`${TEXT}\n`, step))).toEqual([1, 3, 5]);
    expect(await all(inSteps('nadel\n\n', step))).toEqual([0]);
    expect(await all(inSteps('\nnadel', step))).toEqual([1]);
    expect(await all(inSteps('', step))).toEqual([]);
  });

  test('finds the same as a search of all lines', async () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
    for (let round = 0; round < 200; round++) {
      const text = Array.from({ length: random(60) }, () => 'ab\nü'[random(4)]).join('');
      const wanted = ['a', 'ab', 'üa', 'bb'][random(4)]!;
      const expected = text.replace(/\n$/, '').split('\n').flatMap((line, i) => (line.includes(wanted) ? [i] : []));
      const step = 1 + random(9);
      expect(await all(inSteps(text, step), wanted), JSON.stringify([text, wanted, step])).toEqual(expected);
    }
  });

  test('skips missing bytes and the lines that they touch', async () => {
    let seed = 11;
    const random = (below: number): number => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
    let skipped = 0;
    for (let round = 0; round < 400; round++) {
      const text = Array.from({ length: 10 + random(60) }, () => 'ab\n'[random(3)]).join('');
      const gaps: [number, number][] = [];
      for (let at = random(20); at < text.length - 1; at += random(30) + 1) {
        const to = Math.min(text.length - 1, at + 1 + random(9));
        if (to > at) gaps.push([at, to]);
        at = to + 1;
      }
      const lines = text.replace(/\n$/, '').split('\n');
      const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length - 1;
      const isThere = (line: number): boolean => !gaps.some(([from, to]) => line >= lineOf(from) && line <= lineOf(to));
      const wanted = ['a', 'ab', 'bb'][random(3)]!;
      const found = lines.flatMap((line, i) => (line.includes(wanted) ? [i] : []));
      const expected = found.filter(isThere);
      skipped += found.length - expected.length;
      const step = 1 + random(9);
      expect(await all(withGaps(text, step, gaps), wanted), JSON.stringify([text, gaps, wanted, step])).toEqual(expected);
    }
    expect(skipped).toBeGreaterThan(200);
  });

  test('begins with the oldest kept byte', async () => {
    expect(await all(withGaps(TEXT, 4, [[0, 10]]))).toEqual([3, 5]);
  });

  test('ends with a refusal for another reason', async () => {
    const blocks = new OutputBlocks(async () => Promise.reject(new Refusal(410, 'deleted')), async () => ({ bytes: 9, lines: 1 }));
    await expect(all(blocks)).rejects.toThrow('deleted');
  });

  test('finds coloured text, and no colour codes', async () => {
    const text = 'x\n\x1b[1;31merror\x1b[0m: no such file\n\x1b]0;error: no\nE\x1b[4mrror: N\x1b[0mo\n10%\rerror: no\r100%\r\n';
    const lines = text.split('\n').slice(0, -1).map(seen);
    const blocks = (): Blocks[] => [...STEPS.map((step) => inSteps(text, step)), new MemoryBlocks(inMemory(lines))];
    for (const each of blocks()) expect(await all(each, 'error: no')).toEqual([1, 3]);
    for (const wanted of ['31m', '0m', 'title', '%1', '10%']) for (const each of blocks()) expect(await all(each, wanted), wanted).toEqual([]);
    for (const each of blocks()) expect(await all(each, '100%')).toEqual([4]);
  });

  test('reports its progress, and ends when it is stopped', async () => {
    const shares: number[] = [];
    let fetched = 0;
    const blocks = new OutputBlocks(
      async (from, to) => {
        if (++fetched === 3) search.stop();
        return utf8.encode(`${'x'.repeat(49)}\n`.repeat((to - from) / 50));
      },
      async () => ({ bytes: 1000, lines: 20 }),
      100,
    );
    const search: LogSearch = new LogSearch([{ channel: 'stdout', blocks }], matcherOf({ text: 'no', regex: false, matchCase: false }), () =>
      shares.push(search.share),
    );
    await search.read();
    expect(shares).toEqual([0.1, 0.2]);
    expect(await search.step(false)).toBeNull();
  });

  test('finds what is written later, and a line that was not complete', async () => {
    let text = 'heu\nnadel\nna';
    const search = searchOf(
      new OutputBlocks(async (from, to) => utf8.encode(text).subarray(from, to), async () => ({ bytes: text.length, lines: 3 })),
    );
    await search.read();
    expect(search.linesOf('stdout')).toEqual([1]);
    text += 'del\nheu\nnadel';
    await search.read();
    expect(search.linesOf('stdout')).toEqual([1, 2, 4]);
    text += ' und so\n';
    await search.read();
    expect(search.linesOf('stdout')).toEqual([1, 2, 4]);
  });
});

describe('a search of lines in memory', () => {
  test('finds lines by their place among all lines, also after some were dropped', async () => {
    const lines = inMemory(['heu', 'nadel', 'heu', 'nadel', 'nadel']);
    const search = searchOf(new MemoryBlocks(lines), 'nadel', null);
    await search.read();
    expect(await search.first({ channel: null, line: 0 })).toEqual({ channel: null, line: 1 });
    lines.dropped = 2;
    search.dropped(2);
    expect(search.count).toBe(2);
    expect(await search.step(false)).toEqual({ channel: null, line: 3 });
    expect(search.number).toBe(1);
  });

  test('gives others their turn', async () => {
    const lines = inMemory(Array.from({ length: 40 }, (_, i) => (i === 30 ? 'nadel' : 'x'.repeat(1024 * 1024))));
    const search = searchOf(new MemoryBlocks(lines), 'nadel', null);
    setTimeout(() => search.stop());
    await search.read();
    expect(search.isDone).toBe(false);
  });

  test('reads a line again until it is complete', async () => {
    const lines = ['heu', 'na'];
    const memory = { count: 2, dropped: 0, settled: 1, textAt: (i: number) => lines[i]! };
    const search = searchOf(new MemoryBlocks(memory), 'nadel', null);
    await search.read();
    expect(search.count).toBe(0);
    lines[1] = 'nadel';
    await search.read();
    await search.read();
    expect(search.count).toBe(1);
  });
});

describe('the steps of a search', () => {
  const done = async (text: string): Promise<LogSearch> => {
    const search = searchOf(inSteps(text, 7), 'nadel');
    await search.read();
    return search;
  };
  const line = async (found: Promise<{ line: number } | null>): Promise<number | undefined> => (await found)?.line;

  test('lead from match to match, around the end', async () => {
    const search = await done(TEXT);
    const found = [await line(search.first({ channel: 'stdout', line: 0 }))];
    for (const back of [false, false, false, true, true]) found.push(await line(search.step(back)));
    expect(found).toEqual([1, 3, 5, 1, 5, 3]);
    expect([search.number, search.count]).toEqual([2, 3]);
  });

  test('begin behind the line that is in view', async () => {
    expect(await line((await done(TEXT)).first({ channel: 'stdout', line: 3 }))).toBe(3);
    expect(await line((await done(TEXT)).first({ channel: 'stdout', line: 4 }))).toBe(5);
    expect(await line((await done('nadel\nheu')).first({ channel: 'stdout', line: 1 }))).toBe(0);
    expect(await (await done('heu')).first({ channel: 'stdout', line: 0 })).toBeNull();
  });

  test('wait until they are known', async () => {
    const search = searchOf(inSteps(TEXT, 7), 'nadel');
    const last = search.step(true);
    void search.read();
    expect(await line(last)).toBe(5);
  });

  test('lead through one channel after the other', async () => {
    const sources: Source[] = [
      { channel: 'stdout', blocks: inSteps('heu\nnadel\nnadel\n', 7) },
      { channel: 'stderr', blocks: inSteps('nadel\n', 7) },
    ];
    const search = new LogSearch(sources, matcherOf({ text: 'nadel', regex: false, matchCase: true }), () => undefined);
    await search.read();
    const found = [];
    for (const back of [false, false, false, false, true]) found.push([await search.step(back), search.number]);
    expect(found).toEqual([
      [{ channel: 'stdout', line: 1 }, 1],
      [{ channel: 'stdout', line: 2 }, 2],
      [{ channel: 'stderr', line: 0 }, 3],
      [{ channel: 'stdout', line: 1 }, 1],
      [{ channel: 'stderr', line: 0 }, 3],
    ]);
  });
});

test('blocks of an output have all lines of it, in their order', async () => {
  const lines: string[] = [];
  for await (const { firstLine, text } of inSteps('a\nb\nc', 2).read(never)) lines.splice(firstLine, Infinity, ...text.replace(/\n$/, '').split('\n'));
  expect(lines).toEqual(['a', 'b', 'c']);
});

/** These bytes are missing: from, to. The server reports the lines that they touch. */
function withGaps(text: string, step: number, gaps: readonly (readonly [number, number])[]): OutputBlocks {
  const bytes = utf8.encode(text);
  const lines = (to: number): number => bytes.subarray(0, to).filter((byte) => byte === 10).length;
  const end = { bytes: bytes.length, lines: text === '' ? 0 : text.replace(/\n$/, '').split('\n').length };
  return new OutputBlocks(
    async (from, to) => {
      const gap = gaps.find((each) => each[0] < Math.min(to, bytes.length) && each[1] > from);
      if (gap === undefined) return bytes.subarray(from, to);
      const touched = { firstLine: lines(gap[0]) + 1, lastLine: lines(gap[1]) + 1 };
      throw new Refusal(410, 'missing', { from: gap[0], to: gap[1], ...touched });
    },
    async () => end,
    step,
  );
}
