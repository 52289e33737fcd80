import type { Channel } from '../frames/frames';
import { Refusal } from '../server/api';
import { bytes } from '../server/health';
import { spansOf } from './ansi';
import { ASIDE, few, type Line, type Lines } from './lines';

const PAGE_LINES = 200;
const PAGE_BYTES = 256 * 1024; // fetched at once: of long lines, some at a time
const SHOWN_BYTES = 10_000; // of a line, the same as for both channels together
const MOST_LINES = 64 * PAGE_LINES;
const MOST_CHARS = 32 * 1024 * 1024; // of all kept lines; far more than can be in view
const NEWLINE = 10;
const RETURN = 13;

/** The bytes of some lines, or their beginning or end, and the total number of bytes of these lines. */
export interface Part {
  readonly bytes: Uint8Array;
  readonly all: number;
}

interface Kept {
  readonly line: Line;
  readonly chars: number;
  readonly openAt: number | null; // the size of the channel when the line had no end yet
}

/** One channel's lines. Only visible lines are fetched, and of long ones the beginning: gigabytes cost no more than a page. */
export class RangeLines implements Lines {
  readonly #channel: Channel;
  readonly #fetch: (first: number, last: number, range: string) => Promise<Part>;
  readonly #changed: () => void;
  readonly #kept = new Map<number, Kept>(); // in the order of arrival
  readonly #coming = new Set<number>(); // pages
  readonly #missing: { readonly from: number; readonly to: number }[] = []; // indices, end exclusive
  readonly #notes = new Map<number, Line>(); // shown in place of missing lines
  readonly dropped = 0;
  #chars = 0;
  #count = 0;
  #bytes = 0;
  isKnown = false;
  version = 0;

  /** @param fetch gets lines from the first to the last, counted from 1, as an HTTP range of their bytes */
  constructor(
    channel: Channel,
    fetch: (first: number, last: number, range: string) => Promise<Part>,
    changed: () => void,
  ) {
    this.#channel = channel;
    this.#fetch = fetch;
    this.#changed = changed;
  }

  get count(): number {
    return this.#count;
  }

  /** The channel has grown to this. Its last line may have become longer; the old one is shown until the new one has arrived. */
  grown(count: number, bytes: number): void {
    if (this.isKnown && count === this.#count && bytes === this.#bytes) return;
    this.isKnown = true;
    this.#count = count;
    this.#bytes = bytes;
    this.version++;
    this.#changed();
  }

  at(index: number): Line | undefined {
    if (this.#isMissing(index)) return this.#noteAt(index);
    const kept = this.#kept.get(index);
    const page = Math.floor(index / PAGE_LINES);
    const isWanted = kept === undefined || (kept.openAt !== null && kept.openAt < this.#bytes);
    if (isWanted && !this.#coming.has(page)) void this.#load(page, index);
    return kept?.line;
  }

  /** Loads a page; if that was too much at once, or the page was there before, loads from the visible line on. */
  async #load(page: number, index: number): Promise<void> {
    this.#coming.add(page);
    const start = page * PAGE_LINES;
    try {
      const first = this.#kept.has(start) || this.#isMissing(start) ? index : start;
      const ends = this.#missing.map(({ from }) => from).filter((from) => from > first);
      const came = await this.#loadFrom(first, Math.min(start + PAGE_LINES, ...ends));
      if (!came) return;
    } catch (refused) {
      if (!(refused instanceof Refusal) || refused.missing === null) return; // requested again when it is visible again
      this.#missing.push({ from: refused.missing.firstLine - 1, to: refused.missing.lastLine });
    } finally {
      this.#coming.delete(page);
    }
    this.version++;
    this.#changed();
  }

  #isMissing(index: number): boolean {
    return this.#missing.some(({ from, to }) => index >= from && index < to);
  }

  #noteAt(index: number): Line {
    let note = this.#notes.get(index);
    if (note === undefined) {
      if (this.#notes.size >= MOST_LINES) this.#notes.clear();
      note = { channel: this.#channel, number: index + 1, spans: [{ text: '… this line is not stored …', style: ASIDE }] };
      this.#notes.set(index, note);
    }
    return note;
  }

  async #loadFrom(first: number, end: number): Promise<boolean> {
    const written = this.#bytes;
    const { bytes: part, all } = await this.#fetch(first + 1, end, `bytes=0-${PAGE_BYTES - 1}`);
    let line = first;
    let at = 0;
    for (let to; (to = part.indexOf(NEWLINE, at)) >= 0; at = to + 1) this.#keep(line++, part.subarray(at, to), 0, null);
    if (at === part.length) return line > first;
    if (part.length === all) this.#keep(line, part.subarray(at), 0, written);
    else if (at === 0) await this.#loadLong(line, part, written);
    return true;
  }

  /** Of a line that is too long to be fetched at once, keeps the beginning; of one that carriage returns rewrite, the visible end. */
  async #loadLong(line: number, begin: Uint8Array, written: number): Promise<void> {
    const { bytes: end, all } = await this.#fetch(line + 1, line + 1, `bytes=-${SHOWN_BYTES}`);
    const hasEnd = end.at(-1) === NEWLINE;
    const last = hasEnd ? end.subarray(0, -1) : end;
    const openAt = hasEnd ? null : written;
    if (seenFrom(last) > 0) this.#keep(line, last, 0, openAt);
    else this.#keep(line, begin, all - begin.length, openAt);
  }

  #keep(index: number, line: Uint8Array, more: number, openAt: number | null): void {
    const end = withoutReturns(line);
    const seen = line.subarray(seenFrom(line), end);
    // Decoded separately: a part of a larger string would keep all of it in memory.
    const text = new TextDecoder().decode(seen.subarray(0, SHOWN_BYTES), { stream: seen.length > SHOWN_BYTES });
    const spans = few(spansOf(text).spans, more + Math.max(0, seen.length - SHOWN_BYTES), bytes);
    this.#forget(index);
    this.#kept.set(index, { line: { channel: this.#channel, number: index + 1, spans }, chars: text.length, openAt });
    this.#chars += text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_LINES && this.#chars <= MOST_CHARS) break;
      this.#forget(oldest);
    }
  }

  #forget(index: number): void {
    this.#chars -= this.#kept.get(index)?.chars ?? 0;
    this.#kept.delete(index);
  }
}

/** Where the visible part of a line begins: a carriage return starts the line again. */
function seenFrom(line: Uint8Array): number {
  return line.subarray(0, withoutReturns(line)).lastIndexOf(RETURN) + 1;
}

/** The end of the line without trailing carriage returns. */
function withoutReturns(line: Uint8Array): number {
  let end = line.length;
  while (line[end - 1] === RETURN) end--;
  return end;
}
