import { expect, test } from 'vitest';
import { matchWords } from '../page/search-bar';
import { answerTo, matcherOf, rangesIn, WorkerMatcher, type Answer, type Question } from './pattern';

test.each([
  ['a.b', false, 'axb a.b A.B', [[4, 7], [8, 11]]],
  ['a.b', true, 'axb a.b', [[0, 3], [4, 7]]],
  ['[', false, 'a[0]', [[1, 2]]],
])('%j marks its matches (regex: %s)', async (text, regex, line, ranges) => {
  const question = { source: regex ? text : text.replace(/[.[]/g, '\\$&'), flags: 'gi', ranges: [line] };
  expect(answerTo(question)).toEqual([ranges]);
  if (!regex) expect(await matcherOf({ text, regex: false, matchCase: false }).ranges([line])).toEqual([ranges]);
});

test('a text is found with or without its case', async () => {
  const lines = async (text: string, matchCase: boolean): Promise<unknown> => matcherOf({ text, regex: false, matchCase }).lines('Größe\nx\nGRÖSSE größe');
  expect(await lines('größe', false)).toEqual([0, 2]);
  expect(await lines('größe', true)).toEqual([2]);
});

test('a pattern finds lines, each for itself', () => {
  expect(answerTo({ source: '^b+$', flags: 'gi', lines: 'a\nbb\nab\nB' })).toEqual([1, 3]);
  expect(answerTo({ source: 'a[^x]*b', flags: 'g', lines: 'a\nb' })).toEqual([]);
});

test('an invalid pattern is refused with its reason', () => {
  expect(() => matcherOf({ text: '(a', regex: true, matchCase: false })).toThrow('Not a valid pattern: Unterminated group');
});

test('matches without text are not marked', () => {
  expect(rangesIn(/x*/g, 'axxb')).toEqual([[1, 3]]);
});

/** A worker that answers when the test says so. */
class Waiting {
  static all: Waiting[] = [];
  onmessage: ((event: { data: Answer }) => void) | null = null;
  onerror: (() => void) | null = null;
  asked: Question[] = [];
  isEnded = false;

  constructor() {
    Waiting.all.push(this);
  }

  postMessage(question: Question): void {
    this.asked.push(question);
  }

  terminate(): void {
    this.isEnded = true;
  }

  answer(): void {
    this.onmessage?.({ data: answerTo(this.asked.at(-1)!) });
  }
}

test('a pattern is asked for one text after the other, and ended when it is stopped', async () => {
  Waiting.all = [];
  const matcher = new WorkerMatcher(/a/g, () => new Waiting() as unknown as Worker);
  const [first, second] = [matcher.lines('b\na'), matcher.lines('a')];
  await Promise.resolve();
  const [worker] = Waiting.all;
  expect(worker?.asked).toHaveLength(1);
  worker?.answer();
  expect(await first).toEqual([1]);
  await Promise.resolve();
  await Promise.resolve();
  matcher.stop();
  await expect(second).rejects.toThrow('stopped');
  expect(worker?.isEnded).toBe(true);
});

test.each([
  [3, 17, 1, true, false, '3 of 17'],
  [0, 0, 0.42, false, false, '42 %'],
  [1, 12, 0.42, false, false, '1 of 12 · 42 %'],
  [0, 0, 1, true, false, 'not found'],
  [2, 100_000, 1, true, true, '2 of 100000+'],
])('match %i of %i is said in words', (number, count, share, isDone, isFull, words) => {
  expect(matchWords(number, count, share, isDone, isFull)).toBe(words);
});
