import type { TextLines } from './blocks';
import type { Line, Lines } from './lines';

/** A group of lines between `::group::` and `::endgroup::`, as GitHub's workflow commands write them. Lines are counted from the first one ever kept. */
interface Group {
  readonly start: number;
  /** The line of its end; infinite as long as it has none. */
  end: number;
  folded: boolean;
}

const BEGIN = '::group::';
const END = '::endgroup::';

/** Lines whose groups can be folded. A group begins with its title and ends with its end, the next group, or the output. */
export class Folds implements Lines {
  readonly #lines: Lines & TextLines;
  #groups: Group[] = [];
  readonly #starts = new Map<number, Group>();
  #looked = 0; // lines before this one were looked at
  #hidden: { readonly from: number; readonly to: number; readonly before: number }[] = []; // `before`: hidden lines before it
  #seen = -1; // the version of the lines
  #version = 0;
  #dropped = 0; // visible lines
  #base = 0; // dropped lines
  readonly #headers = new Map<Line, Line>();
  #foldsEnded = true; // a group whose end comes

  constructor(lines: Lines & TextLines) {
    this.#lines = lines;
  }

  get isKnown(): boolean {
    return this.#lines.isKnown;
  }

  get hasGroups(): boolean {
    return this.#groups.length > 0;
  }

  get count(): number {
    this.#look();
    return this.#lines.count - this.#hiddenBefore(this.#base + this.#lines.count);
  }

  get version(): number {
    this.#look();
    return this.#version;
  }

  get dropped(): number {
    this.#look();
    return this.#dropped;
  }

  at(index: number): Line | undefined {
    const inner = this.innerOf(index);
    const line = this.#lines.at(inner);
    const group = this.#groups.length === 0 ? undefined : this.#groupAt(this.#base + inner);
    if (line === undefined || group === undefined) return line;
    const lines = Math.min(group.end, this.#base + this.#lines.count) - group.start - 1;
    let header = this.#headers.get(line);
    if (header === undefined || header.group?.folded !== group.folded || header.group.lines !== lines) {
      const [first, ...rest] = line.spans;
      const title = line.spans.map(({ text }) => text).join('').slice(BEGIN.length).trim();
      const spans = first === undefined ? [] : [{ ...first, text: title === '' ? 'Group' : first.text.slice(BEGIN.length).trimStart() }, ...rest];
      header = { ...line, spans, group: { title, folded: group.folded, lines } };
      if (this.#headers.size > 10_000) this.#headers.clear();
      this.#headers.set(line, header);
    }
    return header;
  }

  /** The index of a visible line among all lines. */
  innerOf(index: number): number {
    this.#look();
    let [low, high] = [0, this.#hidden.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const range = this.#hidden[middle];
      if (range !== undefined && range.from - this.#base - range.before <= index) low = middle + 1;
      else high = middle;
    }
    const last = this.#hidden[low - 1];
    return index + (last === undefined ? 0 : last.before + last.to - last.from);
  }

  /** The index of a line among the visible ones; of a hidden line, that of the next visible one. */
  outerOf(inner: number): number {
    this.#look();
    return inner - this.#hiddenBefore(this.#base + inner);
  }

  /** Unfolds the group that a line is in. */
  show(inner: number): void {
    this.#look();
    const line = this.#base + inner;
    const group = this.#groups.findLast(({ start, end }) => line > start && line < end);
    if (group?.folded === true) this.#fold(group, false);
  }

  /** Groups whose end comes from now on stay open. */
  wasRead(): void {
    this.#look();
    this.#foldsEnded = false;
  }

  /** Folds or unfolds the group that begins with this visible line. */
  toggle(index: number): void {
    const group = this.#groupAt(this.#base + this.innerOf(index));
    if (group !== undefined) this.#fold(group, !group.folded);
  }

  /** Unfolds all groups if one is folded, else folds them all. */
  toggleAll(): void {
    const folds = !this.#groups.some(({ folded }) => folded);
    for (const group of this.#groups) group.folded = folds;
    this.#hide();
  }

  #fold(group: Group, folded: boolean): void {
    group.folded = folded;
    this.#hide();
  }

  #groupAt(line: number): Group | undefined {
    return this.#starts.get(line);
  }

  #look(): void {
    const { version, dropped, count, settled } = this.#lines;
    if (version === this.#seen) return;
    this.#seen = version;
    this.#version++;
    if (dropped > this.#base) this.#drop(dropped);
    let isChanged = this.#groups.at(-1)?.end === Infinity && this.#groups.at(-1)?.folded === true;
    for (this.#looked = Math.max(this.#looked, dropped); this.#looked < Math.min(settled, dropped + count); this.#looked++) {
      const text = this.#lines.textAt(this.#looked - dropped);
      if (!text.startsWith('::')) continue;
      const begins = text.startsWith(BEGIN);
      if (!begins && !text.startsWith(END)) continue;
      this.#end(this.#looked);
      if (begins) this.#begin({ start: this.#looked, end: Infinity, folded: false });
      isChanged = true;
    }
    if (isChanged) this.#hide();
  }

  #begin(group: Group): void {
    this.#groups.push(group);
    this.#starts.set(group.start, group);
  }

  #end(line: number): void {
    const open = this.#groups.at(-1);
    if (open === undefined || open.end !== Infinity) return;
    open.end = line;
    open.folded ||= this.#foldsEnded;
  }

  #drop(dropped: number): void {
    this.#dropped += dropped - this.#base - (this.#hiddenBefore(dropped) - this.#hiddenBefore(this.#base));
    for (const { start, end } of this.#groups) if (end <= dropped) this.#starts.delete(start);
    this.#groups = this.#groups.filter(({ end }) => end > dropped);
    this.#base = dropped;
    this.#hide();
  }

  #hiddenBefore(line: number): number {
    let [low, high] = [0, this.#hidden.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#hidden[middle]?.from ?? Infinity) < line) low = middle + 1;
      else high = middle;
    }
    const last = this.#hidden[low - 1];
    return last === undefined ? 0 : last.before + Math.min(line, last.to) - last.from;
  }

  /** The lines of a folded group are hidden, and the end of each group. */
  #hide(): void {
    const end = this.#lines.dropped + this.#lines.count;
    let before = 0;
    this.#hidden = [];
    for (const group of this.#groups) {
      const closes = this.#isEnd(group.end);
      const to = Math.min(end, group.end + (closes ? 1 : 0));
      const from = Math.max(this.#base, group.folded ? group.start + 1 : closes ? group.end : to);
      if (from >= to) continue;
      this.#hidden.push({ from, to, before });
      before += to - from;
    }
    this.#version++;
  }

  #isEnd(line: number): boolean {
    return line !== Infinity && line >= this.#lines.dropped && this.#lines.textAt(line - this.#lines.dropped).startsWith(END);
  }
}
