import { element } from '../page/element';
import { onScrollEnd } from '../page/scroll-end';
import type { Line, Lines } from './lines';
import { rowOf, type RowWords } from './row';

const LINE_PX = 20; // as in the style sheet
const PAD_PX = 8; // above the first line and below the last, as in the style sheet
const BEYOND = 10; // lines above and below the visible ones, for quick scrolling
const MOST_PX = 8_000_000; // browsers become inexact beyond some ten million pixels; beyond, several lines share a pixel of the scroll bar
const LEAP = 4; // heights of the view: a scroll this far means a place in the whole, a shorter one a number of lines

/** What a view knows besides its lines. */
export interface Around extends RowWords {
  /** The time of a line in words, or an empty text; null if no times are shown. */
  timeOf(line: Line): string | null;
  /** Folds or unfolds the group that begins with this line. */
  toggle(index: number): void;
  followed(follows: boolean): void;
  /** The lines in view were drawn, each in its row. */
  drawn(rows: ReadonlyMap<Line, HTMLElement>): void;
}

/** Shows the lines that are in view. It is busy, also to assistive technology, until a scroll has ended and its lines are drawn. */
export class VirtualLines {
  readonly root: HTMLElement;
  readonly #room = element('div', { className: 'room' });
  readonly #block = element('div', { className: 'block' });
  #rows = new Map<Line, HTMLElement>(); // the drawn ones
  #lines: Lines;
  #follow = true;
  #first = 0; // the line at the top of the view; its fraction is the part above the view
  #scrolledTo = 0;
  #scrolling = false; // the user scrolls; the scroll bar is adjusted to the lines when the scroll has ended
  #leaps = false; // until the next animation frame
  #dropped = 0;
  #marked: readonly [number, number] | null = null; // the first line and the last
  #drawn = '';
  #start = 0; // the first drawn line
  #isLacking = false; // lines near the view are still being fetched
  #digits = 0;
  #awaited = false;
  readonly #around: Around;
  readonly #watcher: ResizeObserver;

  constructor(lines: Lines, around: Around) {
    this.#lines = lines;
    this.#around = around;
    this.root = element(
      'div',
      { className: 'log', tabIndex: 0, role: 'log', ariaLabel: 'Output', ariaLive: 'off' },
      this.#room,
      this.#block,
    );
    this.root.dataset['follows'] = 'true';
    this.root.addEventListener('scroll', () => this.#scrolled());
    onScrollEnd(this.root, () => this.#rest());
    this.root.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || (event.key !== 'Home' && event.key !== 'End')) return;
      event.preventDefault();
      this.#first = 0;
      this.#leap();
      this.follow(event.key === 'End');
    });
    this.#watcher = new ResizeObserver(() => this.changed());
    this.#watcher.observe(this.root);
  }

  show(lines: Lines): void {
    this.#lines = lines;
    this.#dropped = lines.dropped;
    this.#drawn = '';
    this.#leap();
    this.follow(true);
  }

  follow(follows: boolean): void {
    this.#setFollow(follows);
    this.changed();
  }

  wrap(wraps: boolean): void {
    this.root.classList.toggle('wraps', wraps);
    this.#drawn = '';
    this.changed();
  }

  get follows(): boolean {
    return this.#follow;
  }

  /** The line at the top of the view. */
  get first(): number {
    return Math.ceil(this.#first);
  }

  /** Marks these lines, or none, and shows the first of them in the middle unless all are in view. */
  mark(lines: readonly [number, number] | null): void {
    this.#marked = lines;
    this.#drawn = '';
    if (lines !== null) {
      const visible = this.#inner / LINE_PX;
      const [first, last] = lines;
      const isInView = !this.#follow && first >= this.#first && last + 1 <= this.#first + visible && !this.root.classList.contains('wraps');
      this.#setFollow(false);
      if (!isInView) {
        this.#first = first - visible / 2;
        this.#leap();
      }
    }
    this.changed();
  }

  /** Draws the rows again, all of them anew if their links have changed. */
  redraw(anew = false): void {
    if (anew) this.#rows.clear();
    this.#drawn = '';
    this.changed();
  }

  /** Lines above were folded or unfolded: the line at the top of the view has another index now, and so have the marked ones. */
  moved(first: number, marked: readonly [number, number] | null): void {
    this.#dropped = this.#lines.dropped;
    this.#marked = marked;
    if (!this.#follow) this.#first = first;
    this.redraw();
  }

  /** Draws once, with the next animation frame. */
  changed(): void {
    if (this.#awaited) return;
    this.#awaited = true;
    requestAnimationFrame(() => {
      this.#awaited = false;
      this.#draw();
    });
  }

  close(): void {
    this.#watcher.disconnect();
  }

  #setFollow(follows: boolean): void {
    if (follows === this.#follow) return;
    this.#follow = follows;
    this.root.dataset['follows'] = String(follows);
    this.#around.followed(follows);
  }

  #scrolled(): void {
    this.#takeScroll();
    this.changed();
  }

  /**
   * Applies the scrolling since the last call. During an animated scroll, the position is often ahead of the events: drawing applies it
   * too, or it would be lost. Only a scroll upwards stops following, since the end moves by itself.
   */
  #takeScroll(): void {
    const top = this.root.scrollTop;
    const moved = top - this.#scrolledTo;
    if (this.#leaps || moved === 0 || (this.#follow && moved >= -LINE_PX / 2)) return;
    this.#scrolledTo = top;
    const { height, range, most } = this.#measures();
    const isLeap = Math.abs(moved) > LEAP * height;
    this.#first = Math.min(most, Math.max(0, isLeap ? (top / range) * most : this.#first + moved / LINE_PX));
    this.#setFollow(this.#first > most - 0.1);
    this.#scrolling = true;
    this.root.ariaBusy = 'true';
  }

  #rest(): void {
    this.#takeScroll(); // its event may arrive after that of the end
    if (!this.#scrolling) return;
    this.#scrolling = false;
    this.changed();
  }

  /** Moves to another place at once: the next drawing sets the scroll bar, which ends a scroll in progress. */
  #leap(): void {
    this.#leaps = true;
    this.#scrolling = false;
    this.root.ariaBusy = 'true';
  }

  /** The heights of the view and of all lines, the range of the scroll bar, and the last line that may be first. */
  #measures(): { height: number; total: number; range: number; most: number } {
    const { count } = this.#lines;
    const height = this.#inner;
    const total = Math.min(MOST_PX, count * LINE_PX);
    return { height, total, range: Math.max(1, total - height), most: Math.max(0, count - height / LINE_PX) };
  }

  /** The height of the view without the space above the first line and below the last. */
  get #inner(): number {
    return Math.max(LINE_PX, this.root.clientHeight - 2 * PAD_PX);
  }

  /** Dropped lines were above the view, which stays where it is. */
  #shift(): void {
    const gone = this.#lines.dropped - this.#dropped;
    this.#dropped += gone;
    this.#first -= gone;
    if (this.#marked === null || gone === 0) return;
    const [first, last] = this.#marked;
    this.#marked = last < gone ? null : [Math.max(0, first - gone), last - gone];
  }

  /** Widens the column of numbers as needed. It never narrows, so that the text does not move back and forth. */
  #widen(rows: readonly HTMLElement[]): void {
    const most = Math.max(this.#digits, ...rows.map((row) => row.firstElementChild?.textContent.length ?? 0));
    if (most === this.#digits) return;
    this.#digits = most;
    this.#block.style.setProperty('--digits', String(most));
  }

  #indexOf(row: HTMLElement): number {
    return this.#start + [...this.#block.children].indexOf(row);
  }

  /** The time is before the text, and changes without it. */
  #time(row: HTMLElement, line: Line): void {
    const time = this.#around.timeOf(line);
    const there = row.querySelector('.time');
    if (time === null) there?.remove();
    else if (there === null) row.firstElementChild?.after(element('span', { className: 'time' }, time));
    else if (there.textContent !== time) there.textContent = time;
  }

  /** Keeps the rows of unchanged lines: laying out a long one takes a while. */
  #drawRows(start: number, end: number): readonly HTMLElement[] {
    const drawn = this.#rows;
    this.#rows = new Map();
    this.#isLacking = false;
    const rows = Array.from({ length: end - start }, (_, i) => {
      const line = this.#lines.at(start + i);
      const row = (line && drawn.get(line)) ?? rowOf(line, this.#around, () => this.#around.toggle(this.#indexOf(row)));
      const [first, last] = this.#marked ?? [-1, -1];
      row.classList.toggle('marked', start + i >= first && start + i <= last);
      if (line !== undefined) this.#time(row, line);
      if (line !== undefined) this.#rows.set(line, row);
      this.#isLacking ||= line === undefined;
      return row;
    });
    const stay = new Set<Element>(rows);
    for (const row of [...this.#block.children]) if (!stay.has(row)) row.remove();
    rows.forEach((row, i) => {
      const there = this.#block.children[i] ?? null;
      if (there !== row) this.#block.insertBefore(row, there);
    });
    return rows;
  }

  #draw(): void {
    this.#takeScroll();
    const { count, version } = this.#lines;
    const { height, total, range, most } = this.#measures();
    this.#shift();
    this.#first = this.#follow ? most : Math.min(most, Math.max(0, this.#first));
    const first = this.#first;
    this.#room.style.height = `${total + 2 * PAD_PX}px`;
    if (this.#follow) this.root.scrollTop = total + 2 * PAD_PX;
    else if (!this.#scrolling) this.root.scrollTop = (first / Math.max(1, most)) * range;
    const top = this.root.scrollTop;
    const start = Math.max(0, Math.floor(first) - BEYOND);
    const end = Math.min(count, Math.ceil(first + height / LINE_PX) + BEYOND);
    const drawn = `${start} ${end} ${version}`;
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.#start = start;
      this.#widen(this.#drawRows(start, end));
    }
    // At the end, the last line is at the bottom, no matter how high wrapping made those above.
    const isEnd = this.#follow && total > height;
    const anchor = this.#block.children[Math.floor(first) - start] as HTMLElement | undefined;
    const above = anchor === undefined ? 0 : anchor.offsetTop + (first % 1) * anchor.offsetHeight;
    this.#block.style.transform = `translateY(${isEnd ? total - this.#block.offsetHeight : total > height ? top - above : 0}px)`;
    if (this.#follow) this.root.scrollTop = total + 2 * PAD_PX; // again: the rows drawn before may have reached beyond
    this.#scrolledTo = this.root.scrollTop;
    this.#leaps = false;
    const isBusy = String(this.#scrolling || this.#isLacking || !this.#lines.isKnown);
    if (this.root.ariaBusy !== isBusy) this.root.ariaBusy = isBusy;
    this.#around.drawn(this.#rows);
  }
}
