import { expect, test } from 'vitest';
import { Refusal } from '../server/api';
import { RangeLines } from './range-lines';

const utf8 = new TextEncoder();

/** A server with one channel of this content. */
class Given {
  readonly asked: string[] = [];
  missing: { first: number; last: number }[] = [];
  bytes = 0;
  readonly lines: RangeLines;
  #line: (index: number) => string;
  #settled = 0; // of the requested bytes
  #changed: () => void = () => undefined;

  constructor(line: (index: number) => string) {
    this.#line = line;
    this.lines = new RangeLines(
      'stdout',
      async (first, last, range) => {
        this.asked.push(`${first}-${last} ${range}`);
        const touched = this.missing.find((missing) => first <= missing.last && last >= missing.first);
        if (touched !== undefined) {
          const { first: firstLine, last: lastLine } = touched;
          throw new Refusal(410, 'gone', { from: 0, to: 1, firstLine, lastLine });
        }
        const end = Math.min(last, this.lines.count);
        const all = utf8.encode(Array.from({ length: end - first + 1 }, (_, i) => this.#line(first - 1 + i)).join(''));
        const [, from = '', to = ''] = /^bytes=(\d*)-(\d+)$/.exec(range) ?? [];
        const bytes = from === '' ? all.subarray(-Number(to)) : all.subarray(Number(from), Number(to) + 1);
        this.bytes += bytes.length;
        return { bytes, all: all.length };
      },
      () => {
        this.#settled = this.asked.length;
        this.#changed();
      },
    );
  }

  is(line: (index: number) => string): void {
    this.#line = line;
  }

  textAt(index: number): string | undefined {
    return this.lines.at(index)?.spans.map(({ text }) => text).join('');
  }

  /** The visible text after all fetches are done. */
  async seen(...indices: number[]): Promise<(string | undefined)[]> {
    for (;;) {
      const changed = new Promise<void>((resolve) => (this.#changed = resolve));
      const texts = indices.map((index) => this.textAt(index));
      if (this.asked.length === this.#settled) return texts;
      await changed;
    }
  }
}

test('only the visible part of a channel is fetched', async () => {
  const given = new Given((index) => `line ${index + 1}\n`);
  given.lines.grown(10_000_000, 100_000_000);
  expect(given.lines.at(9_000_123)).toBeUndefined();
  expect(await given.seen(9_000_123)).toEqual(['line 9000124']);
  expect(given.lines.at(9_000_123)?.number).toBe(9_000_124);
  expect(given.lines.at(9_000_123)).toBe(given.lines.at(9_000_123));
  expect(given.asked).toEqual(['9000001-9000200 bytes=0-262143']);
});

test('a last line that grows is fetched again, and is shown as it was until then', async () => {
  const given = new Given(() => 'start');
  given.lines.grown(1, 5);
  expect(given.textAt(0)).toBeUndefined();
  expect(await given.seen(0)).toEqual(['start']);
  given.is(() => 'start and end');
  given.lines.grown(1, 13);
  expect(given.textAt(0)).toBe('start');
  expect(await given.seen(0)).toEqual(['start and end']);
});

test('new lines are fetched without the known ones', async () => {
  const given = new Given((index) => `${index}\n`);
  given.lines.grown(3, 6);
  expect(await given.seen(0, 1, 2)).toEqual(['0', '1', '2']);
  given.lines.grown(5, 10);
  expect(await given.seen(0, 1, 2, 3, 4)).toEqual(['0', '1', '2', '3', '4']);
  expect(given.asked).toEqual(['1-200 bytes=0-262143', '4-200 bytes=0-262143']);
});

test('long lines are fetched some at a time, beginning with the visible one', async () => {
  const given = new Given((index) => `${index} ${'x'.repeat(15_000)}\n`);
  given.lines.grown(200, 3_000_000);
  const texts = await given.seen(150, 151, 152, 153);
  expect(texts.map((text) => text?.slice(0, 5))).toEqual(['150 x', '151 x', '152 x', '153 x']);
  expect(given.asked).toEqual(['1-200 bytes=0-262143', '151-200 bytes=0-262143']);
});

test('the beginning of a line of any length is fetched, with a note of the rest', async () => {
  const given = new Given((index) => (index === 1 ? `${'ö'.repeat(10_000_000)}\n` : `${index}\n`));
  given.lines.grown(4, 20_000_007);
  const texts = await given.seen(0, 1, 2, 3);
  expect(texts).toEqual(['0', `${'ö'.repeat(5_000)} … 19.1 MiB more of this line are in the file`, '2', '3']);
  expect(given.bytes).toBeLessThan(1_000_000);
  await given.seen(0, 1, 2, 3);
  expect(given.asked).toEqual([
    '1-200 bytes=0-262143',
    '2-200 bytes=0-262143',
    '2-2 bytes=-10000',
    '3-200 bytes=0-262143',
  ]);
});

test('a line that was overwritten for hours shows its last text, also while it grows', async () => {
  const progress = (steps: number): string => Array.from({ length: steps }, (_, i) => `\rstep ${i}`).join('');
  const given = new Given(() => progress(100_000));
  given.lines.grown(1, 1_100_000);
  expect(await given.seen(0)).toEqual(['step 99999']);
  given.is(() => `${progress(200_000)}\n`);
  given.lines.grown(1, 2_200_000);
  expect(await given.seen(0)).toEqual(['step 199999']);
  const asked = given.asked.length;
  given.lines.grown(2, 2_200_001); // its end has arrived, so it is not requested again
  await given.seen(0);
  expect(given.asked.length).toBe(asked);
});

test('the kept lines are limited in bytes too, and dropped ones are fetched again', async () => {
  const given = new Given((index) => `${index} ${'x'.repeat(11_000)}\n`);
  given.lines.grown(3500, 38_500_000);
  for (let i = 0; i < 3500; i++) await given.seen(i);
  const asked = given.asked.length;
  expect((await given.seen(3499))[0]).toMatch(/^3499 x+ … /);
  expect(given.asked.length).toBe(asked);
  expect((await given.seen(0))[0]).toMatch(/^0 x+ … /);
  expect(given.asked.length).toBe(asked + 1);
}, 30_000); // for 38 MB, on a machine that may be busy

test('a missing line that was announced is not requested for ever', async () => {
  let asked = 0;
  let changed = 0;
  const lines = new RangeLines(
    'stdout',
    async () => {
      asked++;
      return { bytes: utf8.encode(asked === 1 ? 'one\n' : ''), all: asked === 1 ? 4 : 0 };
    },
    () => {
      changed++;
      lines.at(1);
    },
  );
  lines.grown(2, 8);
  await new Promise((later) => setTimeout(later, 10));
  expect([asked, changed]).toEqual([2, 2]);
});

test('missing lines have a note, and their neighbours are shown', async () => {
  const given = new Given((index) => `line ${index + 1}\n`);
  given.missing = [{ first: 1, last: 10 }, { first: 50, last: 450 }];
  given.lines.grown(1000, 8000);
  const none = '… this line is not stored …';
  expect(await given.seen(0, 9, 10, 48, 49, 449, 450, 700)).toEqual([
    none, none, 'line 11', 'line 49', none, none, 'line 451', 'line 701',
  ]);
  expect(given.lines.at(300)?.number).toBe(301);
  expect(given.lines.at(300)).toBe(given.lines.at(300));
  expect(given.asked.length).toBeLessThan(12);
});
