import { expressionOf, type Wanted } from '../page/search-bar';

/** A part of a line, end exclusive. */
export type Range = readonly [number, number];

/** Finds lines, and the parts of lines that match. */
export interface Matcher {
  /** The indices of the matching lines of this text. */
  lines(text: string): Promise<readonly number[]>;
  ranges(lines: readonly string[]): Promise<readonly (readonly Range[])[]>;
  stop(): void;
}

/** A question to a regular expression, and its answer. */
export type Question = { readonly source: string; readonly flags: string } & (
  | { readonly lines: string }
  | { readonly ranges: readonly string[] }
);
export type Answer = readonly number[] | readonly (readonly Range[])[];

const MOST_RANGES = 200; // marked in one line

/** @throws Error with a sentence for the user if the regular expression is not valid */
export function matcherOf(wanted: Wanted, worker: () => Worker = newWorker): Matcher {
  const expression = expressionOf(wanted);
  return wanted.regex ? new WorkerMatcher(expression, worker) : new FixedMatcher(expression);
}

function newWorker(): Worker {
  return new Worker(new URL('./pattern-worker.ts', import.meta.url), { type: 'module' });
}

/** An expression whose time grows with the text only: a text, or one that the page has made. */
export class FixedMatcher implements Matcher {
  readonly #expression: RegExp;

  /** @param expression global, and without line ends */
  constructor(expression: RegExp) {
    this.#expression = expression;
  }

  async lines(text: string): Promise<readonly number[]> {
    return linesWith(this.#expression, text);
  }

  async ranges(lines: readonly string[]): Promise<readonly (readonly Range[])[]> {
    return lines.map((line) => rangesIn(this.#expression, line));
  }

  stop(): void {}
}

const MOST_MS = 5_000; // for one block of text

/** A user's expression, which may take forever. It runs in a worker, which is ended when it takes too long. */
export class WorkerMatcher implements Matcher {
  readonly #expression: { readonly source: string; readonly flags: string };
  readonly #newWorker: () => Worker;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #end: ((reason: Error) => void) | undefined;

  constructor({ source, flags }: RegExp, newWorker: () => Worker) {
    this.#expression = { source, flags };
    this.#newWorker = newWorker;
  }

  async lines(text: string): Promise<readonly number[]> {
    return (await this.#ask({ ...this.#expression, lines: text })) as readonly number[];
  }

  async ranges(lines: readonly string[]): Promise<readonly (readonly Range[])[]> {
    return (await this.#ask({ ...this.#expression, ranges: lines })) as readonly (readonly Range[])[];
  }

  stop(): void {
    this.#end?.(new Error('The search was stopped.'));
  }

  /** One question at a time, so that each has its own time. */
  #ask(question: Question): Promise<Answer> {
    const answer = this.#last.then(() => this.#askNow(question));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  #askNow(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const worker = (this.#worker ??= this.#newWorker());
      const end = (reason: Error): void => {
        clearTimeout(timer);
        worker.terminate();
        this.#worker = this.#end = undefined;
        reject(reason);
      };
      const timer = setTimeout(() => end(new Error('This pattern takes too long.')), MOST_MS);
      this.#end = end;
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        clearTimeout(timer);
        resolve(data);
      };
      worker.onerror = () => end(new Error('The pattern cannot be searched for.'));
      worker.postMessage(question);
    });
  }
}

/** The answer to a question; any line end counts as the end of a line. */
export function answerTo(question: Question): Answer {
  const expression = new RegExp(question.source, question.flags);
  if ('ranges' in question) return question.ranges.map((line) => rangesIn(expression, line));
  const found: number[] = [];
  question.lines.split('\n').forEach((line, i) => {
    expression.lastIndex = 0;
    if (expression.test(line)) found.push(i);
  });
  return found;
}

/** The lines with a match of an expression that cannot match a line end. */
export function linesWith(expression: RegExp, text: string): number[] {
  const found: number[] = [];
  let line = 0;
  let counted = 0;
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < match.index; at = text.indexOf('\n', at + 1)) {
      line++;
      counted = at + 1;
    }
    found.push(line);
    const end = text.indexOf('\n', match.index);
    if (end < 0) break;
    line++;
    counted = expression.lastIndex = end + 1;
  }
  return found;
}

export function rangesIn(expression: RegExp, line: string): Range[] {
  const found: Range[] = [];
  for (const { index, 0: text } of line.matchAll(expression)) {
    if (text !== '') found.push([index, index + text.length]);
    if (found.length === MOST_RANGES) break;
  }
  return found;
}
