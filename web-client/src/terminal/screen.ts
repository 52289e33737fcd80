import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { WebglAddon } from '@xterm/addon-webgl';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { askFirst } from '../page/help';
import { onThemeChange } from '../page/theme';
import { resize, showEnd, WholeCharacters } from './exact';
import { adoptStyles } from './styles';
import { theme } from './theme';
import { Writes } from './writes';

const FONT = "'Penstock Mono', ui-monospace, 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace";
const SCROLLBACK_LINES = 20_000; // some ten MiB of cells when full
const SIZE_KEY = 'penstock.font';
const SIZES = { usual: 14, small: 12, least: 9, most: 32, tiny: 9 } as const;

export interface Size {
  readonly rows: number;
  readonly cols: number;
}

function openLink(address: string): void {
  open(address, '_blank', 'noopener,noreferrer');
}

/** Asks before opening a link, and shows its address, since its text may say something else. */
function openAsked(address: string): void {
  if (/^https?:\/\//i.test(address)) askFirst('Open this link?', address, 'Open', () => openLink(address));
}

/** A terminal in an element: xterm.js as Penstock configures it, without a connection. */
export class Screen {
  readonly terminal: Terminal;
  readonly search = new SearchAddon();
  readonly #fit = new FitAddon();
  readonly #writes: Writes;
  readonly #host: HTMLElement;
  readonly #forget: () => void;
  readonly #characters = new WholeCharacters();
  readonly #visible = new IntersectionObserver((seen) => this.#appeared(seen.at(-1)?.isIntersecting === true));
  #isAtEnd = true; // when it was visible last
  #isClosed = false;
  #letters = Number(localStorage.getItem(SIZE_KEY) ?? (innerWidth < 600 ? SIZES.small : SIZES.usual));

  constructor(host: HTMLElement) {
    this.#host = host;
    adoptStyles();
    this.terminal = new Terminal({
      allowProposedApi: true,
      fontFamily: FONT,
      fontSize: this.#letters,
      lineHeight: 1.15,
      scrollback: SCROLLBACK_LINES,
      theme: theme(),
      minimumContrastRatio: 4.5,
      cursorBlink: false,
      macOptionIsMeta: true,
      macOptionClickForcesSelection: true, // like Shift on other systems
      linkHandler: { activate: (_event, address) => openAsked(address) },
    });
    this.#writes = new Writes(this.terminal);
    this.terminal.loadAddon(this.#fit);
    this.terminal.loadAddon(this.search);
    this.terminal.loadAddon(new WebLinksAddon((_event, address) => openLink(address)));
    this.terminal.loadAddon(new Unicode11Addon());
    this.terminal.unicode.activeVersion = '11';
    this.terminal.open(host);
    this.#drawFast();
    this.#visible.observe(host); // after xterm.js observes its own element, so that it has its size by then
    this.#forget = onThemeChange(() => (this.terminal.options.theme = theme()));
  }

  /** Goes to its end as soon as it is visible. */
  toEnd(): void {
    this.#isAtEnd = true;
  }

  /** A terminal that was at its end when it was hidden is there again. */
  #appeared(isVisible: boolean): void {
    const { viewportY, baseY } = this.terminal.buffer.active;
    if (!isVisible) this.#isAtEnd = viewportY === baseY;
    else if (this.#isAtEnd) this.#writes.then(() => this.#isClosed || showEnd(this.terminal));
  }

  /** Draws with the graphics card if there is one, until it takes its memory back. */
  #drawFast(): void {
    try {
      const webgl = new WebglAddon();
      webgl.onContextLoss(() => webgl.dispose());
      this.terminal.loadAddon(webgl);
    } catch {
      // The terminal draws with elements then, which is slower and looks the same.
    }
  }

  /** The size that fills the host at the chosen font size; undefined while the host is not visible. */
  room(): Size | undefined {
    const letters = this.terminal.options.fontSize ?? this.#letters;
    this.#letter(this.#letters);
    const proposed = this.#fit.proposeDimensions();
    this.#letter(letters);
    if (proposed === undefined || !Number.isFinite(proposed.cols) || !Number.isFinite(proposed.rows)) return undefined;
    return { rows: Math.max(2, proposed.rows), cols: Math.max(2, proposed.cols) };
  }

  /** @param parsed is called when the bytes have been parsed */
  write(bytes: Uint8Array | string, parsed?: () => void): void {
    this.#writes.write(typeof bytes === 'string' ? bytes : this.#characters.of(bytes), parsed);
  }

  /** Resizes after all bytes written before are parsed, since they were meant for the old size. */
  resize({ rows, cols }: Size): void {
    this.#writes.then(() => resize(this.terminal, rows, cols));
  }

  /** Resets the terminal to this size; drops waiting writes, which would be visible only briefly. */
  clear({ rows, cols }: Size): void {
    this.#characters.forget();
    this.#writes.leaveOut();
    this.#writes.then(() => {
      this.terminal.reset();
      resize(this.terminal, rows, cols);
    });
  }

  /**
   * Shrinks the letters until a terminal of this size is visible as a whole, within what is readable and at most to the wanted size.
   *
   * @param grows whether they may become larger than the wanted size
   */
  shrink({ rows, cols }: Size, grows = false): void {
    const room = this.room();
    if (room === undefined) return;
    const share = Math.min(grows ? SIZES.most / this.#letters : 1, room.cols / cols, room.rows / rows);
    this.#letter(Math.max(Math.min(SIZES.tiny, this.#letters), Math.floor(this.#letters * share * 2) / 2));
  }

  /** Whether all of the terminal is visible. */
  isWhole(): boolean {
    const [place, all] = [this.#host, this.terminal.element?.querySelector('.xterm-screen')].map((each) =>
      each?.getBoundingClientRect(),
    );
    return place === undefined || all === undefined || (all.width <= place.width && all.height <= place.height);
  }

  /** For a place that shows only a part of the terminal. */
  scrollToCursor(): void {
    const { rows, buffer } = this.terminal;
    const below = ((buffer.active.cursorY + 1) / rows) * this.#host.scrollHeight;
    this.#host.scrollTop = below - this.#host.clientHeight;
  }

  /** Changes the font size by this many points; 0 resets it. */
  zoom(by: number): void {
    const size = by === 0 ? SIZES.usual : this.#letters + by;
    this.#letters = Math.min(SIZES.most, Math.max(SIZES.least, size));
    localStorage.setItem(SIZE_KEY, String(this.#letters));
    this.#letter(this.#letters);
  }

  #letter(points: number): void {
    if (this.terminal.options.fontSize !== points) this.terminal.options.fontSize = points;
  }

  /** The text of the screen and its scrollback. */
  text(): string {
    const buffer = this.terminal.buffer.active;
    const lines: string[] = [];
    for (let at = 0; at < buffer.length; at++) lines.push(buffer.getLine(at)?.translateToString(true) ?? '');
    return lines.join('\n').trimEnd();
  }

  /** The text before the cursor, in its line. */
  cursorLine(): string {
    const { baseY, cursorY, cursorX } = this.terminal.buffer.active;
    return this.terminal.buffer.active.getLine(baseY + cursorY)?.translateToString(false, 0, cursorX) ?? '';
  }

  close(): void {
    this.#forget();
    this.#visible.disconnect();
    this.#isClosed = true;
    this.terminal.dispose();
  }
}
