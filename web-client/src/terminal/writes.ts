interface Waiting {
  readonly what: Uint8Array | string;
  readonly parsed: () => void;
  /** Whether it is an action instead of text to write. */
  readonly act: boolean;
}

/** The part of a terminal that receives output; it calls back when the output is parsed. */
export interface Writable {
  write(what: Uint8Array | string, parsed: () => void): void;
}

/**
 * The queue of writes to a terminal, one after the other. Those that have not begun can be dropped: in a flood, a screen that has arrived
 * replaces all waiting output, and is visible that much earlier.
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

  /** Calls `act` when all output written before is parsed. */
  then(act: () => void): void {
    this.#add({ what: '', parsed: act, act: true });
  }

  /** Drops waiting writes and actions, which count as parsed. */
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
