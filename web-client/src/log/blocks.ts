import { Refusal } from '../server/api';
import { plain } from './ansi';
import { seen } from './lines';

/** Some lines of an output, as the text that is visible, with the index of the first. */
export interface Block {
  readonly firstLine: number;
  readonly text: string;
  /** How much of the output has been read by its end, from 0 to 1. */
  readonly share: number;
}

/** The lines of an output, read in their order. */
export interface Blocks {
  /** The lines that were not read yet. A line that had no end comes again. */
  read(signal: AbortSignal): AsyncGenerator<Block, void>;
}

/** The current end of an output. */
export interface End {
  readonly bytes: number;
  readonly lines: number;
}

/** Missing bytes, whose first and last may be in the middle of lines. The lines are counted from 0. */
interface Gap {
  readonly from: number;
  readonly to: number;
  readonly lastLine: number;
}

const STEP_BYTES = 1024 * 1024;
const LINE_BYTES = 32 * STEP_BYTES; // a longer line is read in parts
const TURN_CHARS = 2 * 1024 * 1024; // looked at without a pause: some hundredths of a second
const NEWLINE = 10;

/** A stored output of any size, fetched in steps. Skips missing bytes and the lines that they were part of. */
export class OutputBlocks implements Blocks {
  readonly #fetch: (from: number, to: number, signal: AbortSignal) => Promise<Uint8Array>;
  readonly #end: () => Promise<End>;
  readonly #step: number;
  readonly #gaps: Gap[] = []; // found so far
  #at = 0; // the first byte that was not read, at the beginning of a line
  #line = 0;

  constructor(
    fetch: (from: number, to: number, signal: AbortSignal) => Promise<Uint8Array>,
    end: () => Promise<End>,
    step = STEP_BYTES,
  ) {
    this.#fetch = fetch;
    this.#end = end;
    this.#step = step;
  }

  async *read(signal: AbortSignal): AsyncGenerator<Block, void> {
    for (let end = await this.#end(); !signal.aborted; ) {
      if (this.#at >= end.bytes) end = await this.#end(); // it may have grown
      if (this.#at >= end.bytes) return;
      const inside = this.#gaps.find(({ from, to }) => this.#at >= from && this.#at < to);
      if (inside !== undefined) {
        this.#at = inside.to;
        this.#line = inside.lastLine;
        continue;
      }
      const bytes = await this.#next(signal);
      if (bytes === null) continue;
      if (bytes.length === 0 || signal.aborted) return;
      const [start, firstLine] = [this.#at, this.#line];
      const whole = bytes.lastIndexOf(NEWLINE) + 1;
      const isLast = whole < bytes.length && start + bytes.length >= end.bytes; // a line without an end
      const read = isLast ? whole : bytes.length;
      this.#at += read;
      for (let at = bytes.indexOf(NEWLINE); at >= 0 && at < read; at = bytes.indexOf(NEWLINE, at + 1)) this.#line++;
      yield { firstLine, text: this.#text(start, bytes), share: Math.min(1, (start + bytes.length) / end.bytes) };
      if (isLast && start + bytes.length >= (end = await this.#end()).bytes) return;
    }
  }

  /** Whole lines, or what is before a gap or the end, or a part of a very long line; null if it finds that further bytes are missing. */
  async #next(signal: AbortSignal): Promise<Uint8Array | null> {
    const start = this.#at;
    for (let step = this.#step; ; step *= 2) {
      const gap = Math.min(Infinity, ...this.#gaps.map(({ from }) => from).filter((from) => from > start));
      const to = Math.min(gap, start + step);
      const bytes = await this.#whole(start, to, signal);
      if (bytes === null || bytes.length < to - start || to === gap || step >= LINE_BYTES) return bytes;
      const whole = bytes.lastIndexOf(NEWLINE) + 1;
      if (whole > 0) return bytes.subarray(0, whole);
    }
  }

  async #whole(start: number, to: number, signal: AbortSignal): Promise<Uint8Array | null> {
    try {
      return await this.#fetch(start, to, signal);
    } catch (refused) {
      const missing = refused instanceof Refusal ? refused.missing : null;
      if (missing === null || this.#gaps.some(({ from, to: end }) => from === missing.from && end === missing.to)) throw refused;
      this.#gaps.push({ from: missing.from, to: missing.to, lastLine: missing.lastLine - 1 });
      return null;
    }
  }

  /** As many lines as the bytes have; lines that begin or end in a gap are empty. */
  #text(start: number, bytes: Uint8Array): string {
    let text = decoded(bytes);
    if (this.#gaps.some(({ to }) => to === start)) text = text.slice(`${text}\n`.indexOf('\n'));
    if (this.#gaps.some(({ from }) => from === start + bytes.length)) text = text.slice(0, text.lastIndexOf('\n') + 1);
    return text;
  }
}

const WRITTEN_ANEW = /\r[^\r\n]/; // does not match the line ends of DOS

/** The visible text of some lines; it has as many lines. */
function decoded(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  return plain(WRITTEN_ANEW.test(text) ? text.split('\n').map(seen).join('\n') : text);
}

/** Lines in memory, of which the oldest are dropped and counted. */
export interface TextLines {
  readonly count: number;
  readonly dropped: number;
  /** Lines before this one do not change any more. */
  readonly settled: number;
  textAt(index: number): string;
}

/** The lines in memory. They are counted from the first one ever kept. */
export class MemoryBlocks implements Blocks {
  readonly #lines: TextLines;
  #at = 0;

  constructor(lines: TextLines) {
    this.#lines = lines;
  }

  async *read(signal: AbortSignal): AsyncGenerator<Block, void> {
    const lines = this.#lines; // during a pause, lines may be dropped and added
    for (let next = this.#at; !signal.aborted; ) {
      next = Math.max(next, lines.dropped);
      const end = lines.dropped + lines.count;
      if (next >= end) break;
      const first = next;
      const texts: string[] = [];
      for (let chars = 0; next < end && chars < TURN_CHARS; next++) {
        const text = lines.textAt(next - lines.dropped);
        texts.push(text);
        chars += text.length + 1;
      }
      this.#at = Math.min(next, lines.settled);
      yield { firstLine: first, text: plain(texts.join('\n')), share: next / end };
      await new Promise((turn) => setTimeout(turn));
    }
  }
}
