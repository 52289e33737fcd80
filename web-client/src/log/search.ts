import type { Channel } from '../frames/frames';
import { Refusal } from '../server/api';
import { plain } from './ansi';
import { seen } from './lines';

/** A search for a text, line by line, in either direction. */
export interface Search {
  /** The index of the next match, or the previous one if `back`, first from the respective end; null if there are no more. */
  find(back: boolean, progress: (share: number) => void): Promise<number | null>;
  /** Whether it searches only a part; {@link all} continues in the rest. */
  readonly isPart?: boolean;
  all?(): void;
  stop(): void;
}

/** The current end of an output. */
export interface End {
  readonly bytes: number;
  readonly lines: number;
}

/** Some whole lines of an output, fetched, searched, then replaced by the next block. */
interface Block {
  readonly start: number;
  readonly end: number;
  readonly firstLine: number;
  readonly text: string;
}

/** Missing bytes, whose first and last may be in the middle of lines. The lines are counted from 0. */
interface Gap {
  readonly from: number;
  readonly to: number;
  readonly firstLine: number;
  readonly lastLine: number;
}

const STEP_BYTES = 1024 * 1024;
const LINE_BYTES = 32 * STEP_BYTES; // a longer line is searched in parts
const TURN_CHARS = 2 * 1024 * 1024; // searched at once: some hundredths of a second
const NEWLINE = 10;

/** Searches an output of any size, fetched in steps up to the next match. Skips missing bytes and the lines that they were part of. */
export class OutputSearch implements Search {
  readonly #wanted: string;
  readonly #fetch: (from: number, to: number, signal: AbortSignal) => Promise<Uint8Array>;
  readonly #end: () => Promise<End>;
  readonly #stopped = new AbortController();
  readonly #step: number;
  readonly #gaps: Gap[] = []; // found so far
  #size: End | undefined;
  #block: Block | undefined;
  // The beginning and the end of the line found last, in the block's text.
  #before = 0;
  #after = 0;

  constructor(
    wanted: string,
    fetch: (from: number, to: number, signal: AbortSignal) => Promise<Uint8Array>,
    end: () => Promise<End>,
    step = STEP_BYTES,
  ) {
    this.#wanted = wanted.toLowerCase();
    this.#fetch = fetch;
    this.#end = end;
    this.#step = step;
  }

  async find(back: boolean, progress: (share: number) => void): Promise<number | null> {
    this.#size ??= await this.#end();
    for (;;) {
      const found = this.#look(back);
      if (found !== null) return found;
      const next = await this.#neighbour(back, this.#size);
      if (next === null || this.#stopped.signal.aborted) return null;
      this.#block = next;
      this.#before = next.text.length;
      this.#after = 0;
      const size = Math.max(1, this.#size.bytes);
      progress(Math.min(1, back ? (size - next.start) / size : next.end / size));
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  #look(back: boolean): number | null {
    if (this.#block === undefined) return null;
    const { text, firstLine } = this.#block;
    const last = this.#before - this.#wanted.length;
    const at = back ? (last < 0 ? -1 : text.lastIndexOf(this.#wanted, last)) : text.indexOf(this.#wanted, this.#after);
    if (at < 0) {
      // In the other direction, the search continues from here.
      this.#before = back ? 0 : text.length;
      this.#after = back ? 0 : text.length;
      return null;
    }
    const end = text.indexOf('\n', at);
    this.#before = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
    this.#after = end < 0 ? text.length : end + 1;
    return firstLine + newlines(text, at);
  }

  /** The whole lines next to the block, or at an end of the output if there is no block yet; null if there are no more. */
  async #neighbour(back: boolean, size: End): Promise<Block | null> {
    const block = this.#block;
    if (back) return this.#blockBefore(block?.start ?? size.bytes, block?.firstLine ?? null, size);
    return this.#blockFrom(block?.end ?? 0, block === undefined ? 0 : block.firstLine + newlines(block.text), size);
  }

  async #blockFrom(start: number, firstLine: number, size: End): Promise<Block | null> {
    const inside = this.#gaps.find(({ from, to }) => start >= from && start < to);
    if (inside !== undefined) return this.#blockFrom(inside.to, inside.lastLine, size);
    if (start >= size.bytes) {
      this.#size = await this.#end(); // the output may have grown
      if (start >= this.#size.bytes) return null;
    }
    for (let step = this.#step; ; step *= 2) {
      const runEnd = Math.min(Infinity, ...this.#gaps.map(({ from }) => from).filter((from) => from > start));
      const end = Math.min(runEnd, start + step);
      const bytes = await this.#whole(start, end);
      if (bytes === null) return this.#blockFrom(start, firstLine, size);
      if (bytes.length === 0) return null;
      const isAll = bytes.length < end - start || end === runEnd || step >= LINE_BYTES;
      const whole = bytes.lastIndexOf(NEWLINE) + 1;
      if (whole === 0 && !isAll) continue;
      const lines = isAll ? bytes : bytes.subarray(0, whole);
      return { start, end: start + lines.length, firstLine, text: this.#text(start, lines) };
    }
  }

  /** @param nextLine the line that begins at `end`; null at the end of the output, which has as many lines as `size` says */
  async #blockBefore(end: number, nextLine: number | null, size: End): Promise<Block | null> {
    const inside = this.#gaps.find(({ from, to }) => end > from && end <= to);
    if (inside !== undefined) return this.#blockBefore(inside.from, inside.firstLine, size);
    if (end === 0) return null;
    for (let step = this.#step; ; step *= 2) {
      const runStart = Math.max(0, ...this.#gaps.map(({ to }) => to).filter((to) => to < end));
      const from = Math.max(runStart, end - step);
      const bytes = await this.#whole(from, end);
      if (bytes === null) return this.#blockBefore(end, nextLine, size);
      if (bytes.length < end - from) return null; // the search was stopped, or the output removed meanwhile
      const isAll = from === runStart || step >= LINE_BYTES;
      const first = bytes.indexOf(NEWLINE) + 1;
      if (!isAll && (first === 0 || first === bytes.length)) continue;
      const lines = isAll ? bytes : bytes.subarray(first);
      const text = this.#text(end - lines.length, lines);
      const next = nextLine ?? (bytes.at(-1) === NEWLINE ? size.lines : size.lines - 1);
      return { start: end - lines.length, end, firstLine: next - newlines(text), text };
    }
  }

  /** Null if it finds that further bytes are missing. */
  async #whole(start: number, end: number): Promise<Uint8Array | null> {
    try {
      return await this.#fetch(start, end, this.#stopped.signal);
    } catch (refused) {
      const gap = gapOf(refused);
      if (gap === null || this.#gaps.some(({ from, to }) => from === gap.from && to === gap.to)) throw refused;
      this.#gaps.push(gap);
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

function gapOf(refused: unknown): Gap | null {
  if (!(refused instanceof Refusal) || refused.missing === null) return null;
  const { from, to, firstLine, lastLine } = refused.missing;
  return { from, to, firstLine: firstLine - 1, lastLine: lastLine - 1 };
}

const WRITTEN_ANEW = /\r[^\r\n]/; // does not match the line ends of DOS

/** The visible text of some lines, which is what a search looks at; it has as many lines. */
function decoded(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  return plain(WRITTEN_ANEW.test(text) ? text.split('\n').map(seen).join('\n') : text).toLowerCase();
}

function newlines(text: string, to = text.length): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Lines in memory. The first may have been dropped; those are counted. */
interface TextLines {
  readonly count: number;
  readonly dropped: number;
  textAt(index: number): string;
}

/** Searches the lines in memory. */
export class LinesSearch implements Search {
  readonly #wanted: string;
  readonly #lines: TextLines;
  #at: number | undefined; // counted from the first line ever written
  #isStopped = false;

  constructor(wanted: string, lines: TextLines) {
    this.#wanted = wanted.toLowerCase();
    this.#lines = lines;
  }

  async find(back: boolean): Promise<number | null> {
    const lines = this.#lines; // while others have their turn, lines may be dropped and added
    let at = this.#at ?? (back ? lines.dropped + lines.count : -1);
    for (let looked = 0; !this.#isStopped; ) {
      at = back ? at - 1 : Math.max(at + 1, lines.dropped);
      if (at < lines.dropped || at >= lines.dropped + lines.count) break;
      const text = lines.textAt(at - lines.dropped);
      if (plain(text).toLowerCase().includes(this.#wanted)) {
        this.#at = at;
        return at - lines.dropped;
      }
      if ((looked += text.length) < TURN_CHARS) continue;
      looked = 0;
      await new Promise((turn) => setTimeout(turn));
    }
    this.#at = lines.dropped + (back ? -1 : lines.count);
    return null;
  }

  stop(): void {
    this.#isStopped = true;
  }
}

/**
 * Searches a part of the output of several channels first. If that has no match, or when {@link all} is called, it continues in each whole
 * channel and finds that channel's lines.
 */
export class PartThenAll implements Search {
  readonly #part: Search;
  readonly #channels: readonly (readonly [Channel, Search])[];
  #at: number | undefined; // the channel; undefined while the part is searched
  #found = false;
  #isStopped = false;
  /** The channel of the last found line; null in the part, which has lines of all channels. */
  channel: Channel | null = null;

  constructor(part: Search, channels: readonly (readonly [Channel, Search])[]) {
    this.#part = part;
    this.#channels = channels;
  }

  get isPart(): boolean {
    return this.#at === undefined;
  }

  all(): void {
    this.#at ??= 0;
  }

  async find(back: boolean, progress: (share: number) => void): Promise<number | null> {
    if (this.#at === undefined) {
      const line = await this.#part.find(back, progress);
      this.#found ||= line !== null;
      if (this.#found || this.#isStopped) return line;
      this.#at = back ? this.#channels.length - 1 : 0;
    }
    for (let at = this.#at; !this.#isStopped; at += back ? -1 : 1) {
      const [channel, search] = this.#channels[at] ?? [];
      if (channel === undefined || search === undefined) return null;
      this.#at = at;
      const line = await search.find(back, progress);
      if (line === null) continue;
      this.channel = channel;
      return line;
    }
    return null;
  }

  stop(): void {
    this.#isStopped = true;
    this.#part.stop();
    for (const [, search] of this.#channels) search.stop();
  }
}
