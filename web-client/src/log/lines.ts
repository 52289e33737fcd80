import type { Channel } from '../frames/frames';
import { bytes } from '../server/health';
import { PLAIN, spansOf, type Span, type Style } from './ansi';

export interface Line {
  readonly channel: Channel;
  /** Counted from 1 in its channel; null as long as it is not known. */
  readonly number: number | null;
  readonly spans: readonly Span[];
  /** When it was written, if the line itself knows. */
  readonly at?: number | undefined;
  /** Of a line that begins a group. */
  readonly group?: { readonly title: string; readonly folded: boolean; readonly lines: number };
}

/** Lines by their index. An undefined line is still being fetched. */
export interface Lines {
  readonly count: number;
  /** Whether {@link count} is known. */
  readonly isKnown: boolean;
  /** A different number after each change. */
  readonly version: number;
  /** The number of earlier lines that have been dropped. */
  readonly dropped: number;
  /** The same object as long as it has not changed. */
  at(index: number): Line | undefined;
}

export const ASIDE: Style = { ...PLAIN, italic: true, dim: true }; // notes of the log itself

const MOST_LINES = 100_000; // a few ten MiB
const MOST_CHARS = 64 * 1024 * 1024; // of all lines together, if they are long
const LINE_CHARS = 1024 * 1024; // kept of a line, which may have no end
const SHOWN_CHARS = 10_000; // shown of a line: a browser takes four times as long to draw a view of lines that are twice as long
const SHOWN_SPANS = 250; // of a line; a change of colour costs as much as some hundred characters
const SPILL = 1.1; // the limits may be exceeded by this factor, so that not every piece of output removes lines
const ESCAPE_CHARS = 64; // maximum length of a colour's code

/** The place where a channel was joined: all its lines from there on have numbers as soon as the first one has. */
export interface Joint {
  readonly channel: Channel;
  first: number | null;
}

/** A line as a terminal shows it, with the codes of its colours, and when it was written. */
export interface Rendered {
  readonly text: string;
  readonly at?: number | undefined;
}

interface Kept {
  readonly channel: Channel;
  readonly joint: Joint;
  readonly nth: number; // since the joint
  readonly index: number; // among all lines ever kept
  readonly at: number | undefined;
  text: string; // the visible text so far
  line: Line | undefined; // the line as it was last shown; undefined if it has changed since
  more: number; // further characters, which are only counted
  readonly begin: Style;
  returned: boolean; // a carriage return came: the next text overwrites it
  isGone: boolean; // dropped as one of the oldest, while it was still being written
}

interface Open {
  readonly decoder: TextDecoder;
  readonly joint: Joint;
  line: Kept | undefined;
  lines: number; // since the joint
  style: Style;
  last: string; // the end of its line, in case it stops within a colour's code
  end: number; // in bytes
}

/** The output of several channels, as lines in the order in which they began. The oldest lines are removed when there are too many. */
export class MergedLines implements Lines {
  readonly #kept: Kept[] = [];
  readonly #open = new Map<Channel, Open>();
  #chars = 0;
  #dropped = 0;
  #tail = 0; // lines at the end that are replaced
  readonly isKnown = true;
  version = 0;

  get count(): number {
    return this.#kept.length;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Lines before this one, counted from the first line ever kept, do not change any more. */
  get settled(): number {
    const open = [...this.#open.values()].flatMap(({ line }) => (line === undefined ? [] : [line.index]));
    return Math.min(this.#dropped + this.#kept.length - this.#tail, ...open);
  }

  /**
   * A channel continues at this offset. After a gap, a note gives the size of the gap, the first line may be incomplete, and lines have no
   * numbers until {@link number} is called with the returned joint.
   */
  joined(channel: Channel, offset: number): Joint | null {
    const before = this.#open.get(channel);
    const leftOut = offset - (before?.end ?? 0);
    if (leftOut <= 0) return null;
    this.#open.delete(channel);
    const joint = { channel, first: null };
    this.#open.set(channel, opened(joint, offset));
    if (before === undefined) return joint;
    this.#put(this.#keep({ channel, first: null }, 0, ASIDE), `… ${bytes(leftOut)} of ${channel} skipped here …`, 0);
    this.version++;
    return joint;
  }

  /** The first line behind a joint has this number. */
  number(joint: Joint, first: number): void {
    joint.first = first;
    for (const line of this.#kept) if (line.joint === joint) line.line = undefined;
    this.version++;
  }

  /** @param at the time when it was written, if it is known */
  add(channel: Channel, written: Uint8Array, at?: number): void {
    const open = this.#channel(channel);
    open.end += written.length;
    const pieces = open.decoder.decode(written, { stream: true }).split('\n');
    pieces.forEach((piece, i) => {
      if (i > 0) this.#end(open, at);
      if (piece !== '') this.#write((open.line ??= this.#begin(open, at)), open, piece);
    });
    if (this.#kept.length > MOST_LINES * SPILL || this.#chars > MOST_CHARS * SPILL) this.#drop();
    this.version++;
  }

  /** Adds whole lines, and behind them others that are replaced with the next call: those of a screen. Each line begins in plain style. */
  rendered(channel: Channel, lines: readonly Rendered[], tail: readonly Rendered[]): void {
    for (const line of this.#kept.splice(this.#kept.length - this.#tail)) this.#chars -= line.text.length;
    const open = this.#channel(channel);
    open.lines -= this.#tail;
    this.#tail = 0;
    for (const { text, at } of [...lines, ...tail]) {
      open.style = PLAIN;
      this.#put(this.#begin(open, at), text, 0);
    }
    this.#tail = tail.length;
    if (this.#kept.length > MOST_LINES * SPILL || this.#chars > MOST_CHARS * SPILL) this.#drop();
    this.version++;
  }

  #begin(open: Open, at: number | undefined): Kept {
    open.last = '';
    return this.#keep(open.joint, open.lines++, open.style, at);
  }

  #keep(joint: Joint, nth: number, begin: Style, at?: number): Kept {
    const index = this.#dropped + this.#kept.length;
    const line = { channel: joint.channel, joint, nth, index, at, text: '', line: undefined, more: 0, begin, returned: false, isGone: false };
    this.#kept.push(line);
    return line;
  }

  /** Colours follow from all that was written, even if not all is kept: reading a code twice has the same effect as reading it once. */
  #write(line: Kept, open: Open, piece: string): void {
    const read = open.last + piece;
    open.style = spansOf(read, open.style).end;
    open.last = read.slice(-ESCAPE_CHARS);
    const end = withoutReturns(piece);
    if (end > 0) {
      const from = piece.lastIndexOf('\r', end - 1) + 1;
      if (from > 0 || line.returned) this.#put(line, '', 0);
      const room = LINE_CHARS - line.text.length;
      this.#put(line, line.text + piece.slice(from, Math.min(end, from + room)), line.more + Math.max(0, end - from - room));
      line.returned = false;
    }
    line.returned ||= end < piece.length;
  }

  #put(line: Kept, text: string, more: number): void {
    if (!line.isGone) this.#chars += text.length - line.text.length;
    line.text = text;
    line.more = more;
    line.line = undefined;
  }

  #end(open: Open, at: number | undefined): void {
    if (open.line === undefined) this.#begin(open, at); // an empty line begins with its end
    open.line = undefined;
  }

  #drop(): void {
    let gone = 0;
    for (const line of this.#kept) {
      if (this.#kept.length - gone <= MOST_LINES && this.#chars <= MOST_CHARS) break;
      this.#chars -= line.text.length;
      line.isGone = true;
      gone++;
    }
    this.#kept.splice(0, gone);
    this.#dropped += gone;
  }

  #channel(channel: Channel): Open {
    let open = this.#open.get(channel);
    if (open === undefined) {
      open = opened({ channel, first: 1 }, 0);
      this.#open.set(channel, open);
    }
    return open;
  }

  /** The indices of these lines of a channel, by their numbers; lines that are not kept are left out. */
  indicesOf(channel: Channel, numbers: ReadonlySet<number>): Map<number, number> {
    const found = new Map<number, number>();
    if (numbers.size === 0) return found;
    this.#kept.forEach((line, index) => {
      const number = line.channel === channel ? numberOf(line) : null;
      if (number !== null && numbers.has(number)) found.set(number, index);
    });
    return found;
  }

  textAt(index: number): string {
    return this.#kept[index]?.text ?? '';
  }

  at(index: number): Line | undefined {
    const kept = this.#kept[index];
    if (kept === undefined) return undefined;
    const { channel, at, text, begin, more } = kept;
    return (kept.line ??= { channel, number: numberOf(kept), spans: shown(text, begin, more), ...(at === undefined ? {} : { at }) });
  }
}

function opened(joint: Joint, end: number): Open {
  return { decoder: new TextDecoder(), joint, line: undefined, lines: 0, style: PLAIN, last: '', end };
}

function numberOf({ joint, nth }: Kept): number | null {
  return joint.first === null ? null : joint.first + nth;
}

/** The line as a terminal would show it; of a long line the beginning, and the number of further characters including those not kept. */
export function shown(text: string, begin: Style = PLAIN, more = 0): readonly Span[] {
  const line = seen(text);
  const { spans } = spansOf(line.slice(0, SHOWN_CHARS), begin);
  return few(spans, Math.max(0, line.length - SHOWN_CHARS) + more, (rest) => `${rest} characters`);
}

/** The first spans of a line, as many as are drawn quickly, with a note about the others and the rest. */
export function few(spans: readonly Span[], rest: number, inWords: (rest: number) => string): readonly Span[] {
  const most = spans.slice(0, SHOWN_SPANS);
  const left = spans.slice(SHOWN_SPANS).reduce((sum, { text }) => sum + text.length, rest);
  if (left === 0) return most;
  return [...most, { text: ` … ${inWords(left)} more of this line are in the file`, style: ASIDE }];
}

/** The text that a terminal would show: a carriage return starts the line again. */
export function seen(line: string): string {
  const end = withoutReturns(line);
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

/** The end of the line without trailing carriage returns. */
function withoutReturns(text: string): number {
  let end = text.length;
  while (text[end - 1] === '\r') end--;
  return end;
}
