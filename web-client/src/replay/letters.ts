import type { Clock, Recorded, Shown } from './player';
import type { Step } from './steps';

const utf8 = new TextEncoder();
export const BEGIN = 1_000_000;

/** Letters, each a frame: a, b and c a tenth of a second apart, d after a minute, then e and f. */
const TIMES = [0, 100, 200, 300, 60_300, 60_400, 60_500];
export const steps: Step[] = TIMES.map((at, seq) => ({
  seq,
  at: BEGIN + at,
  bytes: seq === 0 ? null : utf8.encode('·abcdef'[seq]!),
  size: null,
}));

/** A record of letters, and the screen that shows it. */
export class Letters {
  shown = '';
  asked: number[] = [];
  failures: unknown[] = [];

  readonly recorded: Recorded = {
    screen: async (seq) => {
      this.asked.push(seq);
      return { rows: 24, cols: 80, ansi: utf8.encode('·abcdef'.slice(1, seq + 1)) };
    },
    async *steps(from) {
      for (const step of steps.slice(from)) yield step;
    },
    timeOf: async (seq) => steps[seq]!.at,
    last: () => steps.length - 1,
  };

  readonly screen: Shown = {
    clear: () => (this.shown = ''),
    resize: () => undefined,
    write: (bytes, parsed) => {
      this.shown += new TextDecoder().decode(bytes);
      parsed();
    },
    changed: () => undefined,
    failed: (reason) => this.failures.push(reason),
  };
}

/** A clock that the test advances. */
export class Time implements Clock {
  #now = 0;
  #waiting: { act: () => void; at: number } | undefined;

  now(): number {
    return this.#now;
  }

  /** Whether a timer is set. */
  get waits(): boolean {
    return this.#waiting !== undefined;
  }

  later(act: () => void, ms: number): () => void {
    this.#waiting = { act, at: this.#now + ms };
    return () => (this.#waiting = undefined);
  }

  /** Lets this much time pass, and everything read meanwhile arrive. */
  async passes(ms: number): Promise<void> {
    const until = this.#now + ms;
    while (this.#waiting !== undefined && this.#waiting.at <= until) {
      const { act, at } = this.#waiting;
      this.#waiting = undefined;
      this.#now = at;
      act();
      await settled();
    }
    this.#now = until;
  }
}

export const settled = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
