import type { Channel } from '../frames/frames';
import type { Blocks } from './blocks';
import type { Matcher } from './pattern';

/** A line that matches: of one channel, or with null one of the lines in memory, counted from the first one ever kept. */
export interface Match {
  readonly channel: Channel | null;
  readonly line: number;
}

/** Lines to search, in one way of counting them. */
export interface Source {
  readonly channel: Channel | null;
  readonly blocks: Blocks;
}

const MOST_MATCHES = 100_000;

/** Finds all lines that match, and goes from one to the next, around the end. */
export class LogSearch {
  readonly #sources: readonly Source[];
  readonly #matcher: Matcher;
  readonly #changed: () => void;
  readonly #found: number[][];
  readonly #stopped = new AbortController();
  #reading: Promise<void> | undefined;
  #stale = false; // there are more lines than were read
  #progress: (() => void) | undefined;
  #at: { readonly source: number; readonly line: number } | undefined; // the line that was found last
  /** How much has been searched, from 0 to 1. */
  share = 0;
  isDone = false;

  /** @param changed is called when there are further matches, or progress */
  constructor(sources: readonly Source[], matcher: Matcher, changed: () => void) {
    this.#sources = sources;
    this.#matcher = matcher;
    this.#changed = changed;
    this.#found = sources.map(() => []);
  }

  get matcher(): Matcher {
    return this.#matcher;
  }

  get count(): number {
    return this.#found.reduce((sum, { length }) => sum + length, 0);
  }

  /** Whether there may be more matches than are counted. */
  get isFull(): boolean {
    return this.count >= MOST_MATCHES;
  }

  /** The number of the match that was found last, from 1; 0 if there is none. */
  get number(): number {
    const at = this.#at;
    if (at === undefined) return 0;
    const place = indexOf(this.#found[at.source] ?? [], at.line);
    if (this.#found[at.source]?.[place] !== at.line) return 0;
    return 1 + place + this.#found.slice(0, at.source).reduce((sum, { length }) => sum + length, 0);
  }

  /** The found lines of one source. */
  linesOf(channel: Channel | null): readonly number[] {
    return this.#found[this.#sources.findIndex((each) => each.channel === channel)] ?? [];
  }

  /** Reads all lines, also those that come meanwhile. */
  read(): Promise<void> {
    this.#stale = true;
    return (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)));
  }

  stop(): void {
    this.#stopped.abort();
    this.#matcher.stop();
    this.#progress?.();
  }

  /** Lines before this one are in memory no longer. */
  dropped(before: number): void {
    const found = this.#found[this.#sources.findIndex(({ channel }) => channel === null)];
    if (found !== undefined && (found[0] ?? before) < before) found.splice(0, indexOf(found, before));
  }

  /** The first match at or behind this line, or the first one of all; waits until it is known. */
  async first(from: Match): Promise<Match | null> {
    const source = this.#sources.findIndex(({ channel }) => channel === from.channel);
    this.#at = source < 0 ? undefined : { source, line: from.line - 1 };
    return this.step(false);
  }

  /** The next match or the previous one, around the end; waits until it is known. Null if there is none, or the search was stopped. */
  async step(back: boolean): Promise<Match | null> {
    for (; !this.#stopped.signal.aborted; await new Promise<void>((resolve) => (this.#progress = resolve))) {
      const next = this.#beside(back) ?? (this.isDone ? this.#end(back) : undefined);
      if (next === undefined && !this.isDone) continue;
      if (next === undefined) return null;
      this.#at = next;
      return { channel: this.#sources[next.source]?.channel ?? null, line: next.line };
    }
    return null;
  }

  #beside(back: boolean): { source: number; line: number } | undefined {
    const at = this.#at ?? (back ? undefined : { source: 0, line: -1 });
    if (at === undefined) return undefined;
    const found = this.#found[at.source] ?? [];
    const place = back ? indexOf(found, at.line) - 1 : indexOf(found, at.line + 1);
    const line = found[place];
    if (line !== undefined) return { source: at.source, line };
    // The next source is searched when this one has been.
    const sources = this.#found.map((_, i) => i).filter((i) => (back ? i < at.source : i > at.source));
    const source = (back ? sources.reverse() : sources).find((i) => (this.#found[i] ?? []).length > 0);
    const other = this.#found[source ?? -1]?.at(back ? -1 : 0);
    return source === undefined || other === undefined ? undefined : { source, line: other };
  }

  #end(back: boolean): { source: number; line: number } | undefined {
    const source = back ? this.#found.findLastIndex(({ length }) => length > 0) : this.#found.findIndex(({ length }) => length > 0);
    const line = this.#found[source]?.at(back ? -1 : 0);
    return line === undefined ? undefined : { source, line };
  }

  async #read(): Promise<void> {
    while (this.#stale && !this.#stopped.signal.aborted && !this.isFull) {
      this.#stale = false;
      for (const [i, { blocks }] of this.#sources.entries()) {
        for await (const { firstLine, text, share } of blocks.read(this.#stopped.signal)) {
          const lines = await this.#matcher.lines(text);
          if (this.#stopped.signal.aborted) return;
          const found = this.#found[i] ?? [];
          found.splice(indexOf(found, firstLine)); // a line without an end is looked at again
          for (const line of lines) found.push(firstLine + line);
          this.share = (i + share) / this.#sources.length;
          this.#tell();
          if (this.isFull) break;
        }
      }
    }
    if (this.#stopped.signal.aborted) return;
    this.isDone = true;
    this.#tell();
  }

  #tell(): void {
    this.#changed();
    this.#progress?.();
  }
}

/** The index of the first number that is not less than this one. */
export function indexOf(sorted: readonly number[], wanted: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Infinity) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
