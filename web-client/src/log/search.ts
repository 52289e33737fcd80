/** Where a text is found, line by line from the beginning. */
export interface Search {
  /** The index of the next line that has it; null when there is none any more. */
  next(progress: (share: number) => void): Promise<number | null>;
  stop(): void;
}

const STEP_BYTES = 1024 * 1024;

/** In an output of any size, of which a step is fetched, looked through and forgotten, as far as the next place. */
export class OutputSearch implements Search {
  readonly #wanted: string;
  readonly #fetch: (from: number, to: number, signal: AbortSignal) => Promise<Uint8Array>;
  readonly #size: () => number;
  readonly #stopped = new AbortController();
  readonly #decoder = new TextDecoder();
  #offset = 0;
  #text = ''; // fetched, and not looked through; from the beginning of a line
  #line = 0; // which that is

  constructor(
    wanted: string,
    fetch: (from: number, to: number, signal: AbortSignal) => Promise<Uint8Array>,
    size: () => number,
  ) {
    this.#wanted = wanted.toLowerCase();
    this.#fetch = fetch;
    this.#size = size;
  }

  async next(progress: (share: number) => void): Promise<number | null> {
    for (;;) {
      const found = this.#look();
      if (found !== null) return found;
      const bytes = await this.#fetch(this.#offset, this.#offset + STEP_BYTES, this.#stopped.signal);
      if (this.#stopped.signal.aborted || bytes.length === 0) return this.#look(true);
      this.#offset += bytes.length;
      this.#text += this.#decoder.decode(bytes, { stream: true }).toLowerCase();
      progress(Math.min(1, this.#offset / Math.max(1, this.#size())));
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** In whole lines; in what is left too, if no more is to come. */
  #look(isAll = false): number | null {
    const whole = isAll ? this.#text.length : this.#text.lastIndexOf('\n') + 1;
    const at = this.#text.slice(0, whole).indexOf(this.#wanted);
    if (at < 0) {
      this.#line += newlines(this.#text, whole);
      this.#text = this.#text.slice(whole);
      return null;
    }
    const line = this.#line + newlines(this.#text, at);
    const end = this.#text.indexOf('\n', at);
    this.#text = end < 0 ? '' : this.#text.slice(end + 1);
    this.#line = line + 1;
    return line;
  }
}

function newlines(text: string, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** In lines that are at hand. */
export class LinesSearch implements Search {
  readonly #wanted: string;
  readonly #lines: { readonly count: number; textAt(index: number): string };
  #next = 0;

  constructor(wanted: string, lines: { readonly count: number; textAt(index: number): string }) {
    this.#wanted = wanted.toLowerCase();
    this.#lines = lines;
  }

  async next(): Promise<number | null> {
    while (this.#next < this.#lines.count) {
      const at = this.#next++;
      if (this.#lines.textAt(at).toLowerCase().includes(this.#wanted)) return at;
    }
    return null;
  }

  stop(): void {
    this.#next = this.#lines.count;
  }
}
