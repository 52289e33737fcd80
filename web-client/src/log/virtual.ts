import { element } from '../page/element';
import { onScrollEnd } from '../page/scroll-end';
import type { Colour, Span } from './ansi';
import type { Line, Lines } from './lines';

const LINE_PX = 20; // as in the style sheet
const BEYOND = 10; // lines above and below the visible ones, for quick scrolling
const MOST_PX = 8_000_000; // browsers become inexact beyond some ten million pixels; beyond, several lines share a pixel of the scroll bar
const LEAP = 4; // heights of the view: a scroll this far means a place in the whole, a shorter one a number of lines
const BLACK = '#1f2a34'; // as a background, and on coloured ones

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
  #marked = -1;
  #drawn = '';
  #isLacking = false; // lines near the view are still being fetched
  #digits = 0;
  #awaited = false;
  readonly #followed: (follows: boolean) => void;
  readonly #watcher: ResizeObserver;

  constructor(lines: Lines, followed: (follows: boolean) => void) {
    this.#lines = lines;
    this.#followed = followed;
    this.root = element(
      'div',
      { className: 'log', tabIndex: 0, role: 'log', ariaLabel: 'Output', ariaLive: 'off' },
      this.#room,
      this.#block,
    );
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

  /** Shows this line in the middle, marked as found; -1 marks none. */
  mark(index: number): void {
    this.#marked = index;
    this.#drawn = '';
    if (index >= 0) {
      this.#setFollow(false);
      this.#first = index - this.root.clientHeight / LINE_PX / 2;
      this.#leap();
    }
    this.changed();
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
    this.#followed(follows);
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
    const height = this.root.clientHeight;
    const total = Math.min(MOST_PX, count * LINE_PX);
    return { height, total, range: Math.max(1, total - height), most: Math.max(0, count - height / LINE_PX) };
  }

  /** Dropped lines were above the view, which stays where it is. */
  #shift(): void {
    const gone = this.#lines.dropped - this.#dropped;
    this.#dropped += gone;
    this.#first -= gone;
    if (this.#marked >= 0) this.#marked = Math.max(-1, this.#marked - gone);
  }

  /** Widens the column of numbers as needed. It never narrows, so that the text does not move back and forth. */
  #widen(rows: readonly HTMLElement[]): void {
    const most = Math.max(this.#digits, ...rows.map((row) => row.firstElementChild?.textContent.length ?? 0));
    if (most === this.#digits) return;
    this.#digits = most;
    this.#block.style.setProperty('--digits', String(most));
  }

  /** Keeps the rows of unchanged lines: laying out a long one takes a while. */
  #drawRows(start: number, end: number): readonly HTMLElement[] {
    const drawn = this.#rows;
    this.#rows = new Map();
    this.#isLacking = false;
    const rows = Array.from({ length: end - start }, (_, i) => {
      const line = this.#lines.at(start + i);
      const row = (line && drawn.get(line)) ?? rowOf(line, start + i);
      row.classList.toggle('marked', start + i === this.#marked);
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
    this.#room.style.height = `${total}px`;
    if (this.#follow) this.root.scrollTop = total;
    else if (!this.#scrolling) this.root.scrollTop = (first / Math.max(1, most)) * range;
    const top = this.root.scrollTop;
    const start = Math.max(0, Math.floor(first) - BEYOND);
    const end = Math.min(count, Math.ceil(first + height / LINE_PX) + BEYOND);
    const drawn = `${start} ${end} ${version}`;
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.#widen(this.#drawRows(start, end));
    }
    // At the end, the last line is at the bottom, no matter how high wrapping made those above.
    const isEnd = this.#follow && total > height;
    const anchor = this.#block.children[Math.floor(first) - start] as HTMLElement | undefined;
    const above = anchor === undefined ? 0 : anchor.offsetTop + (first % 1) * anchor.offsetHeight;
    this.#block.style.transform = `translateY(${isEnd ? total - this.#block.offsetHeight : total > height ? top - above : 0}px)`;
    if (this.#follow) this.root.scrollTop = total; // again: the rows drawn before may have reached beyond
    this.#scrolledTo = this.root.scrollTop;
    this.#leaps = false;
    const isBusy = String(this.#scrolling || this.#isLacking || !this.#lines.isKnown);
    if (this.root.ariaBusy !== isBusy) this.root.ariaBusy = isBusy;
  }
}

function rowOf(line: Line | undefined, index: number): HTMLElement {
  const number = element(
    'span',
    { className: 'number', ariaHidden: 'true' },
    String(line?.number ?? (line === undefined ? index + 1 : '·')),
  );
  const row = element(
    'div',
    { className: 'line' },
    number,
    element('span', { className: 'text' }, ...(line === undefined ? ['…'] : line.spans.map(spanOf))),
  );
  if (line !== undefined) row.dataset['channel'] = line.channel;
  return row;
}

/** The text is unchanged, so that it can be found and copied; each line is a paragraph, which cannot turn other lines. */
function spanOf({ text, style }: Span): Node {
  const [fg, bg] = style.inverse ? [style.bg ?? 'ground', style.fg ?? 'ink'] : [style.fg, style.bg];
  if (fg === null && bg === null && !style.bold && !style.dim && !style.italic && !style.underline) return document.createTextNode(text);
  const span = element('span');
  span.append(text);
  if (fg !== null) span.style.color = bg === null ? colour(fg) : onGround(fg);
  if (bg !== null) span.style.backgroundColor = bg === 0 && fg !== 'ground' ? BLACK : colour(bg);
  for (const look of ['bold', 'dim', 'italic', 'underline'] as const) if (style[look]) span.classList.add(look);
  return span;
}

/** Black and white are for coloured backgrounds; on the page's own they are other colours, which are readable there. */
function onGround(value: NonNullable<Colour>): string {
  return value === 0 ? BLACK : value === 15 ? '#ffffff' : value === 7 ? '#e1e7ec' : colour(value);
}

function colour(value: NonNullable<Colour>): string {
  if (typeof value === 'number') return `var(--ansi-${value})`;
  return value === 'ground' ? 'var(--well)' : value === 'ink' ? 'var(--ink)' : value;
}
