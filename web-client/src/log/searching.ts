import { SearchBar, matchWords, type Wanted } from '../page/search-bar';
import type { Line } from './lines';
import { FixedMatcher, matcherOf, type Matcher, type Range as Part } from './pattern';
import { LogSearch, type Match, type Source } from './search';

/** What the search needs of the log that it searches. */
export interface Searched {
  /** The lines to search now. */
  sources(): readonly Source[];
  /** Where a new search begins. */
  from(): Match;
  show(match: Match): void;
  /** What is searched for has changed. */
  changed(): void;
  focus(): void;
  /** Draws the visible lines again, with other marks. */
  redraw(): void;
}

/** A line that tells of an error, unless it says that there is none. */
const ERROR = /(?<!\b(?:0|no|without|ignoring) )\b(?:errors?|fatal|fail(?:ed|ure|ures)?|panic(?:ked)?|exception|traceback|segmentation fault)\b(?! ?[:=] ?0\b)|✗|✘/gi;
const FOUND = 'penstock-found'; // the names of the highlights in the style sheet
const CURRENT = 'penstock-current';

/** The search in a log, with its marks, and the way from error to error. */
export class Searching {
  readonly bar: SearchBar;
  readonly #log: Searched;
  #search: LogSearch | undefined;
  #steps: Promise<unknown> = Promise.resolve(); // one after the other
  #ranges = new WeakMap<Line, readonly Part[]>();
  #isAsking = false;
  #error = '';
  #isForErrors = false;

  constructor(log: Searched) {
    this.#log = log;
    this.bar = new SearchBar('Search the log', {
      begin: (wanted) => this.#beginWanted(wanted),
      step: (back) => this.#step((search) => search.step(back)),
      stop: () => this.stop(),
      closed: () => log.focus(),
    });
  }

  /** What is searched for; null for none, or for errors. */
  get wanted(): Wanted | null {
    return this.#search === undefined || this.#isForErrors ? null : this.bar.wanted;
  }

  /** Searches for what an address names. */
  begin(wanted: Wanted): void {
    this.bar.show(wanted);
    this.#beginWanted(wanted);
  }

  /** Goes to the next error, first the first one. */
  nextError(): void {
    if (this.#isForErrors && this.#search !== undefined) this.#step((search) => search.step(false));
    else this.#begin(new FixedMatcher(ERROR), { channel: null, line: 0 }, true);
  }

  stop(): void {
    const was = this.#search;
    this.#search = undefined;
    this.#isForErrors = false;
    this.#ranges = new WeakMap();
    this.bar.say('');
    if (was === undefined) return;
    was.stop();
    this.#log.changed();
    this.#log.redraw();
  }

  /** The log has further lines. @param dropped lines before this one are in memory no longer */
  grown(dropped: number): void {
    if (this.#search === undefined) return;
    this.#search.dropped(dropped);
    this.#read(this.#search);
  }

  /** Searches other lines for the same: another channel is shown. */
  again(): void {
    const { wanted } = this;
    if (wanted !== null) this.#beginWanted(wanted);
    else this.stop();
  }

  /** Marks the matches in these rows. @param marked the lines of the current match */
  mark(rows: ReadonlyMap<Line, HTMLElement>): void {
    if (typeof Highlight === 'undefined') return; // the line itself is marked
    const [found, current] = [new Highlight(), new Highlight()];
    const unknown: [Line, string][] = [];
    for (const [line, row] of this.#search === undefined ? [] : rows) {
      const text = row.querySelector('.text');
      const ranges = this.#ranges.get(line);
      if (text === null) continue;
      if (ranges === undefined) unknown.push([line, text.textContent]);
      else for (const range of rangesIn(text, ranges)) (row.classList.contains('marked') ? current : found).add(range);
    }
    CSS.highlights.set(FOUND, found);
    CSS.highlights.set(CURRENT, current);
    if (unknown.length > 0) void this.#askFor(unknown);
  }

  close(): void {
    this.#search?.stop();
    if (typeof Highlight === 'undefined') return;
    CSS.highlights.delete(FOUND);
    CSS.highlights.delete(CURRENT);
  }

  #beginWanted(wanted: Wanted): void {
    try {
      this.#begin(matcherOf(wanted), this.#log.from(), false);
      this.#log.changed();
    } catch (invalid) {
      this.stop();
      this.bar.say((invalid as Error).message);
    }
  }

  #begin(matcher: Matcher, from: Match, isForErrors: boolean): void {
    this.#search?.stop();
    this.#ranges = new WeakMap();
    const search = new LogSearch(this.#log.sources(), matcher, () => this.#tell());
    this.#search = search;
    this.#isForErrors = isForErrors;
    this.#error = '';
    this.#steps = Promise.resolve();
    this.#read(search);
    this.#step((each) => each.first(from));
    this.#log.redraw();
  }

  #read(search: LogSearch): void {
    search.read().catch((refused: Error) => {
      if (search !== this.#search) return;
      this.#error = refused.message;
      search.stop();
      this.#tell();
    });
  }

  #step(find: (search: LogSearch) => Promise<Match | null>): void {
    const search = this.#search;
    if (search === undefined) return;
    this.#steps = this.#steps.then(async () => {
      const match = await find(search);
      if (search !== this.#search) return;
      if (match !== null) this.#log.show(match);
      this.#tell();
    });
  }

  #tell(): void {
    const search = this.#search;
    if (search === undefined) return;
    const { number, count, share, isDone, isFull } = search;
    const words = this.#error === '' ? matchWords(number, count, share, isDone, isFull) : this.#error;
    this.bar.say(words, !isDone && this.#error === '');
    this.#log.redraw();
  }

  /** The words for the error that is shown; empty if there is no such search. */
  get errorWords(): string {
    if (!this.#isForErrors || this.#search === undefined) return '';
    const { number, count, share, isDone, isFull } = this.#search;
    if (isDone && count === 0) return 'no error found';
    return count === 0 ? `${Math.floor(share * 100)} %` : `error ${number} of ${count}${isFull || !isDone ? '+' : ''}`;
  }

  async #askFor(unknown: readonly [Line, string][]): Promise<void> {
    const search = this.#search;
    if (search === undefined || this.#isAsking) return;
    this.#isAsking = true;
    try {
      const ranges = await search.matcher.ranges(unknown.map(([, text]) => text));
      if (search !== this.#search) return;
      unknown.forEach(([line], i) => this.#ranges.set(line, ranges[i] ?? []));
      this.#log.redraw();
    } catch {
      // The search itself shows the reason.
    } finally {
      this.#isAsking = false;
    }
  }
}

/** The parts of an element's text as ranges of its text nodes. */
function rangesIn(element: Element, parts: readonly Part[]): Range[] {
  const nodes: { node: Text; from: number; to: number }[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let at = 0;
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode())
    nodes.push({ node, from: at, to: (at += node.length) });
  return parts.flatMap(([from, to]) => {
    const first = nodes.find((each) => from < each.to);
    const last = nodes.find((each) => to <= each.to);
    if (first === undefined || last === undefined) return [];
    const range = document.createRange();
    range.setStart(first.node, from - first.from);
    range.setEnd(last.node, to - last.from);
    return [range];
  });
}
