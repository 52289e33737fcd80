import { element } from '../page/element';
import type { Colour, Span } from './ansi';
import type { Line, Lines } from './lines';

const LINE_PX = 20; // as in the style sheet
const BEYOND = 10; // lines above and below what is seen, for quick scrolling
const MOST_PX = 8_000_000; // browsers lose count beyond some ten million; more lines than that share pixels

/** Shows those of the lines that are in view. */
export class VirtualLines {
  readonly root: HTMLElement;
  readonly #room = element('div', { className: 'room' });
  readonly #block = element('div', { className: 'block' });
  #lines: Lines;
  #follow = true;
  #marked = -1;
  #followedTo = 0;
  #drawn = '';
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
    this.root.addEventListener('scroll', () => {
      // Only who scrolls up wants to stay; while following, the end moves by itself.
      this.#setFollow(this.#follow ? this.root.scrollTop >= this.#followedTo - LINE_PX / 2 : this.#isAtEnd());
      this.changed();
    });
    this.#watcher = new ResizeObserver(() => this.changed());
    this.#watcher.observe(this.root);
  }

  show(lines: Lines): void {
    this.#lines = lines;
    this.#drawn = '';
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

  /** Shows this line in the middle, and as the one that was looked for; -1 is none. */
  mark(index: number): void {
    this.#marked = index;
    this.#drawn = '';
    if (index >= 0) {
      this.#setFollow(false);
      const { count } = this.#lines;
      const height = this.root.clientHeight;
      const total = Math.min(MOST_PX, count * LINE_PX);
      this.#room.style.height = `${total}px`;
      const first = Math.max(0, index - height / LINE_PX / 2);
      this.root.scrollTop = (first / Math.max(1, count - height / LINE_PX)) * Math.max(0, total - height);
    }
    this.changed();
  }

  /** Draws once, with the next picture. */
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

  #isAtEnd(): boolean {
    return this.root.scrollTop + this.root.clientHeight >= this.root.scrollHeight - 2;
  }

  /** Numbers of millions are to be read too; and what was made wide stays so, lest the text goes to and fro. */
  #widen(rows: readonly HTMLElement[]): void {
    const most = Math.max(this.#digits, ...rows.map((row) => row.firstElementChild?.textContent.length ?? 0));
    if (most === this.#digits) return;
    this.#digits = most;
    this.#block.style.setProperty('--digits', String(most));
  }

  #draw(): void {
    const { count, version } = this.#lines;
    const height = this.root.clientHeight;
    const total = Math.min(MOST_PX, count * LINE_PX);
    this.#room.style.height = `${total}px`;
    if (this.#follow) this.root.scrollTop = total;
    const top = this.root.scrollTop;
    const range = Math.max(1, total - height);
    const first = Math.min(1, top / range) * Math.max(0, count - height / LINE_PX);
    const start = Math.max(0, Math.floor(first) - BEYOND);
    const end = Math.min(count, Math.ceil(first + height / LINE_PX) + BEYOND);
    const drawn = `${start} ${end} ${version}`;
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      const rows = Array.from({ length: end - start }, (_, i) =>
        rowOf(this.#lines.at(start + i), start + i, start + i === this.#marked),
      );
      this.#block.replaceChildren(...rows);
      this.#widen(rows);
    }
    // At the end, the last line stands at the bottom however high those above have become by wrapping.
    const isEnd = this.#follow && total > height;
    const anchor = this.#block.children[Math.floor(first) - start] as HTMLElement | undefined;
    const above = anchor === undefined ? 0 : anchor.offsetTop + (first % 1) * anchor.offsetHeight;
    this.#block.style.transform = `translateY(${isEnd ? total - this.#block.offsetHeight : total > height ? top - above : 0}px)`;
    if (this.#follow) {
      this.root.scrollTop = total; // again: what was drawn before may have reached beyond
      this.#followedTo = this.root.scrollTop;
    }
  }
}

function rowOf(line: Line | undefined, index: number, isMarked: boolean): HTMLElement {
  const number = element(
    'span',
    { className: 'number', ariaHidden: 'true' },
    String(line?.number ?? (line === undefined ? index + 1 : '·')),
  );
  const row = element(
    'div',
    { className: isMarked ? 'line marked' : 'line' },
    number,
    element('span', { className: 'text' }, ...(line === undefined ? ['…'] : line.spans.map(spanOf))),
  );
  if (line !== undefined) row.dataset['channel'] = line.channel;
  return row;
}

function spanOf({ text, style }: Span): Node | string {
  const [fg, bg] = style.inverse ? [style.bg ?? 'ground', style.fg ?? 'ink'] : [style.fg, style.bg];
  if (fg === null && bg === null && !style.bold && !style.dim && !style.italic && !style.underline) return text;
  const span = element('span', {}, text);
  if (fg !== null) span.style.color = bg === null ? colour(fg) : onGround(fg);
  if (bg !== null) span.style.backgroundColor = colour(bg);
  for (const look of ['bold', 'dim', 'italic', 'underline'] as const) if (style[look]) span.classList.add(look);
  return span;
}

/** White is for coloured grounds; on the page's own it is another colour. */
function onGround(value: NonNullable<Colour>): string {
  return value === 15 ? '#ffffff' : value === 7 ? '#e1e7ec' : colour(value);
}

function colour(value: NonNullable<Colour>): string {
  if (typeof value === 'number') return `var(--ansi-${value})`;
  return value === 'ground' ? 'var(--well)' : value === 'ink' ? 'var(--ink)' : value;
}
