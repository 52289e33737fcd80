import { element, say } from '../page/element';

const KILL_AFTER_MS = 5_000; // by the server: TERM, then KILL to all that is left

/** So long after it was asked. What is recorded does not tell who heard TERM: after the time for it, all that is left to come is the end of the output. */
export function stoppingFor(ms: number): string {
  const left = Math.ceil((KILL_AFTER_MS - ms) / 1000);
  return left > 0 ? `TERM sent · KILL in ${left} s` : 'Left or killed · last output';
}

/** Stops a task, and shows how far that is: TERM, KILL, the last output. */
export class Stop {
  readonly root: HTMLButtonElement;
  readonly #say = element('span', {}, 'Stop');
  #since: number | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(stop: () => void) {
    this.root = element('button', { type: 'button', className: 'stop', title: 'Stop it (s, where its terminal is not shown)', hidden: true }, this.#say);
    this.root.addEventListener('click', () => {
      this.asked();
      stop();
    });
  }

  /** There is something to stop. */
  runs(): void {
    this.root.hidden = false;
  }

  /** It counts to KILL from so long ago on: what is known of that may come later than that it was asked. */
  asked(agoMs = 0): void {
    const before = this.#since;
    this.#since = Math.min(before ?? Infinity, performance.now() - Math.max(0, agoMs));
    if (before !== undefined) return;
    this.root.disabled = true;
    this.#timer = setInterval(() => this.#show(), 250);
    this.#show();
  }

  /** It was not done, and may be tried again. */
  failed(): void {
    clearInterval(this.#timer);
    this.#since = undefined;
    this.root.disabled = false;
    say(this.#say, 'Stop');
  }

  ended(): void {
    clearInterval(this.#timer);
    this.root.hidden = true;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #show(): void {
    say(this.#say, stoppingFor(performance.now() - (this.#since ?? 0)));
  }
}
