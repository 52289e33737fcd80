import type { Channel } from '../frames/frames';
import { bytes } from '../server/health';
import { PLAIN, spansOf, type Span, type Style } from './ansi';

export interface Line {
  readonly channel: Channel;
  /** Counted from 1 in its channel; null where the beginning of the channel was not read. */
  readonly number: number | null;
  readonly spans: readonly Span[];
}

/** Lines by their place, however they came; undefined is one that is still being fetched. */
export interface Lines {
  readonly count: number;
  /** Another number whenever something has changed. */
  readonly version: number;
  /** How many there were before these and are not kept any more. */
  readonly dropped: number;
  at(index: number): Line | undefined;
}

const MOST_LINES = 100_000; // a few ten MiB
const MOST_CHARS = 20_000; // of a line that are shown: beyond, a browser needs seconds for it

interface Kept {
  readonly channel: Channel;
  readonly number: number | null;
  text: string;
  begin: Style;
}

interface Open {
  readonly decoder: TextDecoder;
  line: Kept | undefined;
  lines: number | null;
  style: Style;
  end: number; // in bytes
}

/** What is written to several channels, as lines in the order in which they began. The oldest go first when there are too many. */
export class MergedLines implements Lines {
  readonly #kept: Kept[] = [];
  readonly #open = new Map<Channel, Open>();
  #dropped = 0;
  version = 0;

  get count(): number {
    return this.#kept.length;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** A channel goes on here. If not where it was, it has no line numbers any more, its first line is a rest of one, and what is left out is said. */
  joined(channel: Channel, offset: number): void {
    const before = this.#open.get(channel);
    const leftOut = offset - (before?.end ?? 0);
    if (leftOut <= 0) return;
    this.#open.delete(channel);
    Object.assign(this.#channel(channel), { lines: null, end: offset });
    if (before === undefined) return;
    const text = `… ${bytes(leftOut)} of ${channel} left out here …`;
    this.#kept.push({ channel, number: null, text, begin: { ...PLAIN, italic: true, dim: true } });
    this.version++;
  }

  add(channel: Channel, written: Uint8Array): void {
    const open = this.#channel(channel);
    open.end += written.length;
    const pieces = open.decoder.decode(written, { stream: true }).split('\n');
    pieces.forEach((piece, i) => {
      if (i > 0) this.#end(channel, open);
      if (piece !== '') (open.line ??= this.#begin(channel, open)).text += piece;
    });
    if (this.#kept.length > MOST_LINES * 1.1)
      this.#dropped += this.#kept.splice(0, this.#kept.length - MOST_LINES).length;
    this.version++;
  }

  #begin(channel: Channel, open: Open): Kept {
    if (open.lines !== null) open.lines++;
    const line = { channel, number: open.lines, text: '', begin: open.style };
    this.#kept.push(line);
    return line;
  }

  #end(channel: Channel, open: Open): void {
    const line = open.line ?? this.#begin(channel, open); // an empty one begins with its end
    open.style = spansOf(line.text, line.begin).end;
    open.line = undefined;
  }

  #channel(channel: Channel): Open {
    let open = this.#open.get(channel);
    if (open === undefined) {
      open = { decoder: new TextDecoder(), line: undefined, lines: 0, style: PLAIN, end: 0 };
      this.#open.set(channel, open);
    }
    return open;
  }

  textAt(index: number): string {
    return this.#kept[index]?.text ?? '';
  }

  at(index: number): Line | undefined {
    const kept = this.#kept[index];
    return kept === undefined
      ? undefined
      : { channel: kept.channel, number: kept.number, spans: shown(kept.text, kept.begin) };
  }
}

/** As a terminal would leave it: after a carriage return, the line is written anew. */
export function shown(text: string, begin: Style = PLAIN): readonly Span[] {
  const line = text.replace(/\r+$/, '');
  const from = line.lastIndexOf('\r') + 1;
  const cut =
    line.length - from > MOST_CHARS
      ? `${line.slice(from, from + MOST_CHARS)} … ${line.length - from - MOST_CHARS} more characters`
      : line.slice(from);
  return spansOf(cut, begin).spans;
}

const PAGE_LINES = 200;
const PAGES = 64;

/** One channel's lines, of which only those that are looked at are fetched: gigabytes cost no more than a page. */
export class RangeLines implements Lines {
  readonly #channel: Channel;
  readonly #fetch: (first: number, last: number) => Promise<string>;
  readonly #changed: () => void;
  readonly #pages = new Map<number, readonly string[]>(); // in the order in which they came
  readonly #coming = new Set<number>();
  readonly #outdated = new Set<number>();
  readonly dropped = 0;
  #count = 0;
  #bytes = 0;
  version = 0;

  constructor(channel: Channel, fetch: (first: number, last: number) => Promise<string>, changed: () => void) {
    this.#channel = channel;
    this.#fetch = fetch;
    this.#changed = changed;
  }

  get count(): number {
    return this.#count;
  }

  /** There are so many lines and bytes now; the last line of before may have become longer, and is shown as it was until that is here. */
  grown(count: number, bytes: number): void {
    if (count === this.#count && bytes === this.#bytes) return;
    this.#outdated.add(Math.floor(Math.max(0, this.#count - 1) / PAGE_LINES));
    this.#count = count;
    this.#bytes = bytes;
    this.version++;
    this.#changed();
  }

  at(index: number): Line | undefined {
    const page = Math.floor(index / PAGE_LINES);
    const lines = this.#pages.get(page);
    if (!this.#coming.has(page) && (lines === undefined || this.#outdated.has(page))) void this.#load(page);
    const text = lines?.[index % PAGE_LINES];
    return text === undefined ? undefined : { channel: this.#channel, number: index + 1, spans: shown(text) };
  }

  async #load(page: number): Promise<void> {
    this.#coming.add(page);
    this.#outdated.delete(page);
    try {
      const text = await this.#fetch(page * PAGE_LINES + 1, (page + 1) * PAGE_LINES);
      this.#pages.delete(page);
      this.#pages.set(page, text.replace(/\n$/, '').split('\n'));
      for (const oldest of this.#pages.keys()) {
        if (this.#pages.size <= PAGES) break;
        this.#pages.delete(oldest);
      }
    } catch {
      this.#outdated.add(page); // looked at again, it is asked for again
      return;
    } finally {
      this.#coming.delete(page);
    }
    this.version++;
    this.#changed();
  }
}
