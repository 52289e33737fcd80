import type { Channel } from '../frames/frames';
import { updateAddress } from '../page/address';
import { copies } from '../page/clipboard';
import { button, element, say } from '../page/element';
import type { Choice } from '../page/palette';
import type { Wanted } from '../page/search-bar';
import { taskAddress } from '../route';
import { linesOf, outputEnd, outputRange, wholeEnd } from '../server/api';
import { LogMarks, type Marked } from '../watchers/log-marks';
import { MemoryBlocks, OutputBlocks, type Blocks } from './blocks';
import { Folds } from './folds';
import type { Line, MergedLines } from './lines';
import { lineName, logAddress, placeIn, type LinePlace } from './place';
import { RangeLines } from './range-lines';
import type { Match, Source } from './search';
import { Searching } from './searching';
import { clockOf, timesOf, type LineTimes } from './times';
import { VirtualLines } from './virtual';

const COUNT_EVERY_MS = 2_000;
const WRAP = 'penstock.wrap';
const TIMES = 'penstock.times';
const MOST_COPIED = 32 * 1024 * 1024; // characters

/** What a pane shows, and how its lines come. */
export interface Shown {
  readonly taskId: string;
  /** The lines in memory; whoever adds to them calls {@link LogPane.grown}. */
  readonly lines: MergedLines;
  /** The channels that can be shown alone, from their beginning. */
  readonly channels: readonly Channel[];
  /** The channel of lines whose name is only a number. */
  readonly usual: Channel;
}

/** The lines of an output with all that helps to read them: search, links to lines, times, groups, marks. */
export class LogPane {
  readonly root: HTMLElement;
  /** The place of further controls. */
  readonly tools: HTMLElement;
  readonly #id: string;
  readonly #merged: MergedLines;
  readonly #usual: Channel;
  readonly #folds: Folds;
  readonly #view: VirtualLines;
  readonly #marks: LogMarks;
  readonly #searching: Searching;
  readonly #times: LineTimes;
  readonly #sources = element('div', { className: 'segments', role: 'group', ariaLabel: 'What is shown' });
  readonly #earlier = element('p', { className: 'earlier', hidden: true });
  readonly #nothing = element('p', { className: 'nothing', hidden: true });
  readonly #error = element('span', { className: 'quiet figure', role: 'status' });
  readonly #newer = button('', { className: 'newer', hidden: true, title: 'Follow the log (f)' }, () => this.#view.follow(true));
  readonly #followKey = button('Follow', { ariaPressed: 'true', title: 'Stay at the newest line (f)' }, () => this.follow());
  readonly #wrapKey = button('Wrap', { ariaPressed: 'false', title: 'Break long lines (w)' }, () => this.wrap());
  readonly #timesKey = button('Times', { ariaPressed: 'false', title: 'Show when each line was written (t)' }, () => this.times());
  readonly #foldKey = button('Fold', { hidden: true, title: 'Fold or unfold all groups (z)' }, () => this.fold());
  readonly #errorKey = button('Next error', { hidden: true, title: 'Go to the next line that tells of an error (x)' }, () => this.#searching.nextError());
  #channel: Channel | null = null;
  #line: LinePlace | null = null; // the marked ones
  #awaited: LinePlace | undefined; // shown as soon as it is there
  #awaitedFind: Wanted | undefined; // searched for when all is there
  #lines = 0; // of the one channel that is shown, as counted last
  #held = 0; // how many lines there were when the view stopped following
  #count: ReturnType<typeof setInterval> | undefined;
  #ask: (() => void) | undefined; // requests the new size of that channel
  #ended = false;
  #isRead = false;

  constructor({ taskId, lines, channels, usual }: Shown) {
    this.#id = taskId;
    this.#merged = lines;
    this.#usual = usual;
    this.#folds = new Folds(lines);
    this.#times = timesOf(taskId, () => this.#view.redraw());
    this.#searching = new Searching({
      sources: () => this.#searched(),
      from: () => ({ channel: this.#channel, line: this.#markedLines()?.[0] ?? this.#top }),
      show: (match) => this.#showMatch(match),
      changed: () => this.#writeAddress(),
      focus: () => this.focus(),
      redraw: () => {
        say(this.#error, this.#searching.errorWords);
        this.#view.redraw();
      },
    });
    this.#view = new VirtualLines(this.#folds, {
      nameOf: ({ channel, number }) => lineName(channel, number ?? 0),
      hrefOf: (line) => this.#addressOf(placeOf(line)),
      timeOf: (line) => this.#timeOf(line),
      toggle: (index) => this.#toggle(index),
      followed: (follows) => this.#followed(follows),
      drawn: (rows) => this.#searching.mark(rows),
    });
    this.#marks = new LogMarks(() =>
      this.#channel === null
        ? { count: this.#merged.count, indicesOf: (channel, numbers) => this.#merged.indicesOf(channel, numbers) }
        : { count: this.#lines, only: this.#channel },
    );
    if (channels.length > 0)
      for (const channel of [null, ...channels])
        this.#sources.append(button(channel ?? 'Both', { ariaPressed: String(channel === null) }, () => this.choose(channel)));
    this.tools = element(
      'div',
      { className: 'tools', role: 'toolbar', ariaLabel: 'Log' },
      ...(channels.length > 0 ? [this.#sources] : []),
      this.#error,
      this.#errorKey,
      button('Search', { title: 'Search (/)' }, () => this.search()),
      this.#followKey,
      this.#wrapKey,
      this.#timesKey,
      this.#foldKey,
      copies('Copy', 'Copy the selection, the marked lines, or everything', () => this.#text()),
    );
    this.root = element(
      'div',
      { className: 'log-view' },
      this.#earlier,
      this.#nothing,
      element('div', { className: 'log-place' }, this.#view.root, this.#marks.strip, this.#newer, this.#searching.bar.root),
      this.tools,
    );
    this.#view.root.addEventListener('click', (event) => this.#extend(event));
    if (localStorage.getItem(WRAP) === 'true') this.wrap();
    if (localStorage.getItem(TIMES) === 'true') this.times();
  }

  /** Whether the view shows all lines in memory and stays at their end. */
  get followsAll(): boolean {
    return this.#channel === null && this.#view.follows;
  }

  focus(): void {
    this.#view.root.focus();
  }

  search(): void {
    this.#searching.bar.open();
  }

  /** Marks lines on the scrollbar. */
  mark(marked: Marked): void {
    this.#marks.show(marked);
  }

  /** Handles a key; returns whether it had an effect. */
  key(key: string): boolean {
    const keys: Record<string, () => void> = {
      '/': () => this.search(),
      f: () => this.follow(),
      w: () => this.wrap(),
      t: () => this.times(),
      z: () => this.fold(),
      x: () => this.#searching.nextError(),
    };
    keys[key]?.();
    return key in keys;
  }

  /** Its commands in the palette. */
  choices(): Choice[] {
    return [
      { name: 'Search the log', hint: '/', act: () => this.search() },
      { name: 'Follow the log', hint: 'f', act: () => this.follow() },
      { name: 'Wrap long lines', hint: 'w', act: () => this.wrap() },
      { name: 'Show the time of each line', hint: 't', act: () => this.times() },
      { name: 'Next error in the log', hint: 'x', act: () => this.#searching.nextError() },
      ...(this.#folds.hasGroups ? [{ name: 'Fold or unfold all groups', hint: 'z', act: () => this.fold() }] : []),
    ];
  }

  /** Shows what the address names: a channel, lines, a search. */
  goToAddress(): void {
    const { show, line, find } = placeIn(location.hash, this.#usual);
    if (show !== null && this.#sources.childElementCount > 0 && show !== this.#channel) this.#change(show);
    if (line !== null) this.#goToLines(line);
    if (find === null || same(find, this.#searching.wanted)) return;
    this.#searching.bar.show(find);
    if (this.#isRead || this.#channel !== null) this.#searching.begin(find);
    else this.#awaitedFind = find;
  }

  /** Shows a line of a channel, counted from 1; beside the other channel's lines if it is among them. */
  goTo(channel: Channel, line: number): void {
    this.#searching.stop();
    this.#goToLines({ channel, first: line, last: line });
  }

  /** Shows one channel, or with null all lines in memory, for the user. */
  choose(channel: Channel | null): void {
    this.#change(channel);
    this.#line = null;
    this.#searching.again();
    this.#writeAddress();
  }

  /** Shows one channel at first, unless the address names another. */
  open(channel: Channel): void {
    this.#change(channel);
  }

  /** There are further lines, or further numbers. */
  grown(): void {
    if (this.#awaited !== undefined) this.#goToLines(this.#awaited);
    this.#foldKey.hidden = !this.#folds.hasGroups;
    if (this.#channel !== null) return;
    this.#showNothing();
    this.#showNewer();
    this.#searching.grown(this.#merged.dropped);
    this.#times.grown();
    this.#view.changed();
    this.#marks.changed();
  }

  /** All lines that were written before the view was opened are there. */
  isRead(): void {
    if (this.#isRead) return;
    this.#isRead = true;
    this.#folds.wasRead();
    this.#held = this.#total;
    this.#showNewer();
    const [line, find] = [this.#awaited, this.#awaitedFind];
    this.#awaited = this.#awaitedFind = undefined;
    if (line !== undefined && this.#sources.childElementCount > 0) this.#goToChannel(line);
    if (find !== undefined) this.#searching.begin(find);
  }

  /** The task has ended. */
  ended(failed: boolean): void {
    this.#ended = true;
    this.#followKey.hidden = true; // nothing is to come
    this.#errorKey.hidden = !failed;
    this.#ask?.();
    this.#showNothing();
    this.#showNewer();
  }

  /** Says that only a part of the output is in memory. */
  leftOut(...words: (Node | string)[]): void {
    if (this.#earlier.childNodes.length > 0) return;
    this.#earlier.hidden = this.#channel !== null;
    this.#earlier.append(...words);
  }

  get hasLeftOut(): boolean {
    return this.#earlier.childNodes.length > 0;
  }

  follow(): void {
    this.#view.follow(this.#ended || !this.#view.follows);
  }

  wrap(): void {
    const wraps = this.#wrapKey.ariaPressed !== 'true';
    this.#wrapKey.ariaPressed = String(wraps);
    localStorage.setItem(WRAP, String(wraps));
    this.#view.wrap(wraps);
  }

  times(): void {
    const shows = this.#timesKey.ariaPressed !== 'true';
    this.#timesKey.ariaPressed = String(shows);
    localStorage.setItem(TIMES, String(shows));
    this.#view.redraw();
  }

  /** Folds all groups, or unfolds them if one is folded. */
  fold(): void {
    this.#changeFolds(() => this.#folds.toggleAll());
  }

  close(): void {
    this.#searching.close();
    clearInterval(this.#count);
    this.#times.close();
    this.#marks.close();
    this.#view.close();
    this.root.remove();
  }

  /** The line at the top of the view; the first one of all in a view that follows. */
  get #top(): number {
    if (this.#view.follows) return 0;
    return this.#channel === null ? this.#merged.dropped + this.#folds.innerOf(this.#view.first) : this.#view.first;
  }

  #searched(): readonly Source[] {
    const whole = (channel: Channel): Source => ({ channel, blocks: this.#blocksOf(channel) });
    if (this.#channel !== null) return [whole(this.#channel)];
    if (!this.hasLeftOut || this.#sources.childElementCount === 0) return [{ channel: null, blocks: new MemoryBlocks(this.#merged) }];
    return [whole('stdout'), whole('stderr')];
  }

  #blocksOf(channel: Channel): Blocks {
    return new OutputBlocks(
      (from, to, signal) => outputRange(this.#id, channel, from, to, signal),
      () => wholeEnd(this.#id, channel),
    );
  }

  #showMatch({ channel, line }: Match): void {
    if (channel === null) {
      const inner = line - this.#merged.dropped;
      const found = this.#merged.at(inner);
      if (found === undefined) return;
      if (this.#channel !== null) this.#change(null);
      this.#line = found.number === null ? null : placeOf(found);
      this.#markInner(inner, inner);
    } else this.#goToLines({ channel, first: line + 1, last: line + 1 });
    this.#writeAddress();
  }

  #goToLines(line: LinePlace): void {
    this.#awaited = undefined;
    this.#line = line;
    const isAlone = this.#channel === line.channel;
    const together = isAlone ? undefined : this.#merged.indicesOf(line.channel, new Set([line.first, line.last]));
    const first = together?.get(line.first);
    if (first !== undefined) {
      if (this.#channel !== null) this.#change(null);
      this.#markInner(first, together?.get(line.last) ?? first);
    } else if (!isAlone && !this.#isRead) this.#awaited = line; // it may be still to come
    else if (this.#sources.childElementCount > 0) this.#goToChannel(line);
  }

  #goToChannel(line: LinePlace): void {
    if (this.#channel !== line.channel) this.#change(line.channel);
    this.#line = line;
    if (line.first <= this.#lines) this.#view.mark([line.first - 1, line.last - 1]);
    else this.#ask?.(); // marked when it is counted
  }

  #markInner(first: number, last: number): void {
    this.#folds.show(first);
    this.#view.mark([this.#folds.outerOf(first), this.#folds.outerOf(last)]);
  }

  /** A click with Shift on a number marks all lines from the marked one on. */
  #extend(event: MouseEvent): void {
    const number = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a.number') : null;
    const from = this.#line;
    const to = number === null ? null : placeIn(number.href, this.#usual).line;
    if (!event.shiftKey || number === null || from === null || to === null || from.channel !== to.channel) return;
    event.preventDefault();
    getSelection()?.removeAllRanges(); // Shift selects text, too
    this.#goToLines({ channel: from.channel, first: Math.min(from.first, to.first), last: Math.max(from.last, to.last) });
    this.#writeAddress();
  }

  #toggle(index: number): void {
    if (this.#channel === null) this.#changeFolds(() => this.#folds.toggle(index));
  }

  #changeFolds(change: () => void): void {
    if (this.#channel !== null) return;
    const top = this.#folds.innerOf(this.#view.first);
    change();
    this.#view.moved(this.#folds.outerOf(top), null);
  }

  #timeOf(line: Line): string | null {
    if (this.#timesKey.ariaPressed !== 'true') return null;
    const at = line.at ?? (line.number === null ? null : this.#times.of(line.channel, line.number));
    return at === null ? '' : clockOf(at);
  }

  #followed(follows: boolean): void {
    this.#followKey.ariaPressed = String(follows);
    this.#held = this.#total;
    this.#showNewer();
  }

  get #total(): number {
    return this.#channel === null ? this.#merged.dropped + this.#merged.count : this.#lines;
  }

  /** Says that there is no output, unless one channel is shown, which is counted by {@link #ask}. */
  #showNothing(): void {
    if (this.#channel !== null) return;
    this.#nothing.hidden = this.#merged.count > 0;
    this.#nothing.textContent = this.#ended ? 'No output.' : 'No output yet.';
  }

  #showNewer(): void {
    const newer = this.#total - this.#held;
    this.#newer.hidden = this.#view.follows || newer <= 0;
    if (this.#newer.hidden) return;
    say(this.#newer, `↓ ${newer.toLocaleString('en')} new ${newer === 1 ? 'line' : 'lines'}`);
  }

  #addressOf(line: LinePlace | null): string {
    return logAddress(this.#id, { show: this.#channel, line, find: null });
  }

  /** Writes the channel, the marked lines and the search into the address, unless another view is shown. */
  #writeAddress(): void {
    if (!this.root.checkVisibility() || !location.hash.startsWith(taskAddress(this.#id))) return;
    const place = { show: this.#channel, line: this.#line, find: this.#searching.wanted };
    const isEmpty = place.show === null && place.line === null && place.find === null;
    if (isEmpty && !location.hash.includes('?')) return;
    updateAddress(isEmpty ? taskAddress(this.#id, 'output') : logAddress(this.#id, place));
  }

  /** What is selected, or several marked lines, or everything. */
  async #text(): Promise<string> {
    const selected = getSelection();
    if (selected !== null && !selected.isCollapsed && this.#view.root.contains(selected.anchorNode)) return selected.toString();
    const blocks = this.#channel === null ? new MemoryBlocks(this.#merged) : this.#blocksOf(this.#channel);
    const marked = this.#markedLines();
    const [from, to] = marked !== null && marked[0] < marked[1] ? marked : [0, Infinity];
    const texts: string[] = [];
    let chars = 0;
    for await (const { firstLine, text } of blocks.read(new AbortController().signal)) {
      const lines = text.replace(/\n$/, '').split('\n').filter((_, i) => firstLine + i >= from && firstLine + i <= to);
      texts.push(...lines.map((each) => `${each}\n`));
      if ((chars += text.length) > MOST_COPIED) throw new Error('This is too long to copy.');
    }
    return texts.join('');
  }

  /** The marked lines, counted as blocks count them. */
  #markedLines(): readonly [number, number] | null {
    const line = this.#line;
    if (line === null) return null;
    if (this.#channel !== null) return [line.first - 1, line.last - 1];
    const { dropped } = this.#merged;
    const [first, last] = [line.first, line.last].map((each) => this.#merged.indicesOf(line.channel, new Set([each])).get(each));
    return first === undefined || last === undefined ? null : [dropped + first, dropped + last];
  }

  /** Shows another channel, for the user or for a match. */
  #change(channel: Channel | null): void {
    clearInterval(this.#count);
    this.#ask = undefined;
    this.#channel = channel;
    this.#lines = 0;
    this.#view.mark(null);
    this.#marks.changed();
    [...this.#sources.children].forEach((each) => (each.ariaPressed = String(each.textContent === (channel ?? 'Both'))));
    this.#earlier.hidden = channel !== null || !this.hasLeftOut;
    if (channel === null) {
      this.#view.show(this.#folds);
      this.grown();
      return;
    }
    const lines = new RangeLines(
      channel,
      (first, last, range) => linesOf(this.#id, channel, first, last, range),
      () => this.#view.changed(),
    );
    let complete = false;
    let whole = 1; // no line from this one on is missing
    const ask = (): void => {
      const ended = this.#ended;
      void outputEnd(this.#id, channel, whole).then(
        ({ lines: count, bytes, from }) => {
          if (this.#ask !== ask) return;
          whole = from;
          complete = ended;
          const before = this.#lines;
          this.#lines = count;
          lines.grown(count, bytes);
          const line = this.#line;
          if (line?.channel === channel && line.first > before && line.first <= count) this.#view.mark([line.first - 1, line.last - 1]);
          this.#showNewer();
          this.#searching.grown(this.#merged.dropped);
          this.#marks.changed();
          this.#nothing.hidden = count > 0;
          this.#nothing.textContent = `No output on ${channel}.`;
        },
        () => undefined,
      ); // asked again soon; the connection shows that the server is unreachable
    };
    this.#count = setInterval(() => void (!complete && document.visibilityState === 'visible' && ask()), COUNT_EVERY_MS);
    this.#ask = ask;
    this.#view.show(lines);
    ask();
  }
}

function placeOf({ channel, number }: Line): LinePlace {
  return { channel, first: number ?? 0, last: number ?? 0 };
}

function same(one: { text: string; regex: boolean; matchCase: boolean }, other: typeof one | null): boolean {
  return one.text === other?.text && one.regex === other.regex && one.matchCase === other.matchCase;
}
