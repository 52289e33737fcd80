import { expect, test } from 'vitest';
import { Refusal } from '../server/api';
import { seen } from './lines';
import { LinesSearch, OutputSearch, PartThenAll, type End, type Search } from './search';

const utf8 = new TextEncoder();
const ignored = (): void => undefined;

async function all(search: Search, back = false): Promise<number[]> {
  const found: number[] = [];
  for (let next = await search.find(back, ignored); next !== null; next = await search.find(back, ignored))
    found.push(next);
  return found;
}

function inSteps(text: string, step: number, wanted = 'Nadel'): OutputSearch {
  const bytes = utf8.encode(text);
  const end = { bytes: bytes.length, lines: text === '' ? 0 : text.replace(/\n$/, '').split('\n').length };
  return new OutputSearch(
    wanted,
    async (from, to) => {
      expect(from, 'what is not there is not asked for').toBeLessThan(bytes.length);
      return bytes.subarray(from, to);
    },
    async (): Promise<End> => end,
    step,
  );
}

const TEXT = 'heu\nNADEL und nadel\n\nheü Nadel\nheu\nletzte nadel';
const STEPS = [1, 2, 3, 7, 16, 1000];

test.each(STEPS)('each line is found once in both directions, wherever the output is cut (%d bytes)', async (step) => {
  expect(await all(inSteps(TEXT, step))).toEqual([1, 3, 5]);
  expect(await all(inSteps(TEXT, step), true)).toEqual([5, 3, 1]);
  expect(await all(inSteps(`${TEXT}\n`, step), true)).toEqual([5, 3, 1]);
  expect(await all(inSteps('nadel\n\n', step), true)).toEqual([0]);
  expect(await all(inSteps('\nnadel', step))).toEqual([1]);
  expect(await all(inSteps('', step), true)).toEqual([]);
});

test.each(STEPS)('the direction may change anywhere (%d bytes)', async (step) => {
  for (const search of [
    inSteps(TEXT, step),
    new LinesSearch('nadel', { count: 6, dropped: 0, textAt: (i) => TEXT.split('\n')[i]! }),
  ]) {
    const found: (number | null)[] = [];
    for (const back of [false, false, true, true, true, false, false, false, false, false, true, true])
      found.push(await search.find(back, ignored));
    expect(found).toEqual([1, 3, 1, null, null, 1, 3, 5, null, null, 5, 3]);
  }
});

test('it finds the same as a search of all lines, in random outputs', async () => {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
  for (let round = 0; round < 200; round++) {
    const text = Array.from({ length: random(60) }, () => 'ab\nü'[random(4)]).join('');
    const lines = text.replace(/\n$/, '').split('\n');
    const wanted = ['a', 'ab', 'üa', 'bb'][random(4)]!;
    const expected = lines.flatMap((line, i) => (line.includes(wanted) ? [i] : []));
    const step = 1 + random(9);
    expect(await all(inSteps(text, step, wanted)), JSON.stringify([text, wanted, step])).toEqual(expected);
    expect(await all(inSteps(text, step, wanted), true), JSON.stringify([text, wanted, step])).toEqual(
      expected.reverse(),
    );
  }
});

/** These bytes are missing: from, to. The server reports the lines that they touch. */
function withGaps(text: string, step: number, wanted: string, gaps: readonly (readonly [number, number])[]): OutputSearch {
  const bytes = utf8.encode(text);
  const lines = (to: number): number => bytes.subarray(0, to).filter((byte) => byte === 10).length;
  const end = { bytes: bytes.length, lines: text === '' ? 0 : text.replace(/\n$/, '').split('\n').length };
  return new OutputSearch(
    wanted,
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

test('a search skips missing bytes and the lines that they touch, in both directions, in random outputs', async () => {
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
    const what = JSON.stringify([text, gaps, wanted, step]);
    expect(await all(withGaps(text, step, wanted, gaps)), what).toEqual(expected);
    expect(await all(withGaps(text, step, wanted, gaps), true), what).toEqual(expected.reverse());
  }
  expect(skipped).toBeGreaterThan(200);
});

test('a search begins with the oldest kept byte of an output', async () => {
  const search = (): OutputSearch => withGaps(TEXT, 4, 'nadel', [[0, 10]]);
  expect(await all(search())).toEqual([3, 5]);
  expect(await all(search(), true)).toEqual([5, 3]);
});

test('a refusal for another reason ends a search', async () => {
  const search = new OutputSearch('x', async () => Promise.reject(new Refusal(410, 'deleted')), async () => ({ bytes: 9, lines: 1 }));
  await expect(search.find(false, ignored)).rejects.toThrow('deleted');
});

test('coloured text is found by its visible characters, and colour codes are not found', async () => {
  const text = 'x\n\x1b[1;31merror\x1b[0m: no such file\n\x1b]0;error: no\nE\x1b[4mrror: N\x1b[0mo\n10%\rerror: no\r100%\r\n';
  const lines = text.split('\n').slice(0, -1);
  const searches = (wanted: string): Search[] => [
    ...STEPS.map((step) => inSteps(text, step, wanted)),
    new LinesSearch(wanted, { count: lines.length, dropped: 0, textAt: (i) => seen(lines[i]!) }),
  ];
  for (const search of searches('error: no')) expect(await all(search)).toEqual([1, 3]);
  for (const search of searches('error: no')) expect(await all(search, true)).toEqual([3, 1]);
  for (const wanted of ['31m', '0m', 'title', '%1', '10%']) {
    for (const search of searches(wanted)) expect(await all(search), wanted).toEqual([]);
  }
  for (const search of searches('100%')) expect(await all(search)).toEqual([4]);
});

test('lines in memory are found in the same way', async () => {
  const lines = TEXT.split('\n');
  const search = (): Search => new LinesSearch('nadel', { count: lines.length, dropped: 0, textAt: (i) => lines[i]! });
  expect(await all(search())).toEqual([1, 3, 5]);
  expect(await all(search(), true)).toEqual([5, 3, 1]);
});

test.each([
  [false, [0.1, 0.2]],
  [true, [0.1, 0.1]], // only whole lines, which are half of each step here
])('a search reports its progress, and ends when it is stopped (back: %s)', async (back, expected) => {
  const shares: number[] = [];
  let fetched = 0;
  const search: OutputSearch = new OutputSearch(
    'nowhere',
    async (from, to) => {
      if (++fetched === 3) search.stop();
      return utf8.encode(`${'x'.repeat(49)}\n`.repeat((to - from) / 50));
    },
    async () => ({ bytes: 1000, lines: 20 }),
    100,
  );
  expect(await search.find(back, (share) => shares.push(Math.round(share * 10) / 10))).toBeNull();
  expect(shares).toEqual(expected);
});

test('a search of lines in memory continues after its match, although lines before it were dropped', async () => {
  const lines = { count: 6, dropped: 0, textAt: (i: number) => (i + lines.dropped === 4 || i + lines.dropped === 5 ? 'nadel' : '') };
  const search = new LinesSearch('nadel', lines);
  expect(await search.find(false)).toBe(4);
  lines.dropped = 3;
  expect(await search.find(false)).toBe(2);
  expect(await search.find(true)).toBe(1);
});

test('a search of many lines in memory yields, and can be stopped or lose lines then', async () => {
  const long = 'x'.repeat(1024 * 1024);
  const lines = { count: 40, dropped: 0, textAt: (i: number) => (i + lines.dropped === 30 ? 'nadel' : long) };
  setTimeout(() => (lines.dropped = 10));
  expect(await new LinesSearch('nadel', lines).find(false)).toBe(20);
  const stopped = new LinesSearch('nadel', lines);
  setTimeout(() => stopped.stop());
  expect(await stopped.find(true)).toBeNull();
});

test('a search finds output that was written after it began', async () => {
  let text = 'heu\nnadel\n';
  const search = new OutputSearch(
    'nadel',
    async (from, to) => utf8.encode(text).subarray(from, to),
    async () => ({ bytes: text.length, lines: text.split('\n').length - 1 }),
  );
  expect([await search.find(false, ignored), await search.find(false, ignored)]).toEqual([1, null]);
  text += 'heu\nnadel\n';
  expect([await search.find(false, ignored), await search.find(false, ignored)]).toEqual([3, null]);
});

function partThenAll(part: string[], stdout: string, stderr: string): PartThenAll {
  const lines = { count: part.length, dropped: 0, textAt: (i: number) => part[i]! };
  return new PartThenAll(new LinesSearch('nadel', lines), [
    ['stdout', inSteps(stdout, 7)],
    ['stderr', inSteps(stderr, 7)],
  ]);
}

test('a text that is not in the part is searched in the whole of each channel', async () => {
  const search = partThenAll(['heu'], 'heu\nnadel\nnadel\n', 'heu\nheu\nnadel\n');
  const found: unknown[] = [];
  for (const back of [false, false, false, false, true]) found.push([await search.find(back, ignored), search.channel]);
  expect(found).toEqual([[1, 'stdout'], [2, 'stdout'], [2, 'stderr'], [null, 'stderr'], [2, 'stderr']]);
  expect(search.isPart).toBe(false);
  const up = partThenAll(['heu'], 'heu\nnadel\n', '');
  expect([await up.find(true, ignored), up.channel]).toEqual([1, 'stdout']);
  expect(await all(partThenAll([], 'heu\n', ''))).toEqual([]);
});

test('a part with matches is searched, and the whole only on request', async () => {
  const search = partThenAll(['heu', 'nadel'], 'nadel\nheu\nnadel\n', '');
  expect(await all(search)).toEqual([1]);
  expect([search.isPart, search.channel]).toEqual([true, null]);
  search.all();
  expect([await search.find(false, ignored), search.channel]).toEqual([0, 'stdout']);
});

test('a stopped search of all channels continues in none', async () => {
  const search = partThenAll(['heu'], 'nadel\n', '');
  search.stop();
  expect(await search.find(false, ignored)).toBeNull();
  expect(search.isPart).toBe(true);
});
