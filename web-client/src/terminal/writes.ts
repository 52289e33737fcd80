interface Waiting {
  readonly what: Uint8Array | string;
  readonly parsed: () => void;
  /** Whether it is something to do, and not something to write. */
  readonly act: boolean;
}

/** What a terminal takes: it calls back when that is parsed. */
export interface Writable {
  write(what: Uint8Array | string, parsed: () => void): void;
}

/**
 * What is to be written to a terminal, one piece after the other. What is not begun yet can be left out: of a flood, a screen that has come
 * shows the end of all that waits before it, and is to be seen that much earlier.
 */
export class Writes {
  readonly #terminal: Writable;
  #waiting: Waiting[] = [];
  #busy = false;

  constructor(terminal: Writable) {
    this.#terminal = terminal;
  }

  write(what: Uint8Array | string, parsed: () => void = () => undefined): void {
    this.#add({ what, parsed, act: false });
  }

  /** When all that was written before is parsed. */
  then(act: () => void): void {
    this.#add({ what: '', parsed: act, act: true });
  }

  /** What waits is not written and not done, and counts as parsed. */
  leaveOut(): void {
    const left = this.#waiting;
    this.#waiting = [];
    for (const { parsed, act } of left) if (!act) parsed();
  }

  #add(waiting: Waiting): void {
    this.#waiting.push(waiting);
    if (!this.#busy) this.#next();
  }

  /** Writes the next piece within the callback of the last, so that the terminal parses on without a pause. */
  #next(): void {
    const next = this.#waiting.shift();
    this.#busy = next !== undefined;
    if (next === undefined) return;
    this.#terminal.write(next.what, () => {
      next.parsed();
      this.#next();
    });
  }
}
