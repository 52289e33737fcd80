/** Corrects hidden state of xterm.js 6 that would become visible later, but not to viewers who joined meanwhile: all must see the same. */

/** The internal parts of xterm.js that its API does not offer. */
interface Inside {
  _core: {
    _coreBrowserService: object | undefined;
    _bufferService: { isUserScrolling: boolean; buffers: { normal: Buffer; alt: Buffer; active: Buffer } };
    _viewport: { _latestYDisp: number | undefined; _sync(): void } | undefined;
  };
}

interface Buffer {
  lines: { length: number; get(at: number): Line; trimStart(count: number): void };
  ybase: number;
  ydisp: number;
  getNullCell(): unknown;
  clear(): void;
}

interface Line {
  length: number;
  resize(cols: number, fill: unknown): void;
  getWidth(at: number): number;
  setCell(at: number, cell: unknown): void;
}

/** A terminal is never narrower than a wide character, even if asked to be; the server's screens are not either. */
const LEAST_COLS = 2;

/** Resizes the terminal. Nothing beyond the new edge stays: no cells, no half of a wide character, no lines of the other screen. */
export function resize(terminal: { resize(cols: number, rows: number): void }, rows: number, cols: number): void {
  terminal.resize(cols, rows);
  const width = Math.max(LEAST_COLS, cols);
  const { normal, alt, active } = (terminal as unknown as Inside)._core._bufferService.buffers;
  // The other screen is empty, but would keep room for its former number of lines.
  if (active === normal) alt.clear();
  for (const buffer of [normal, alt]) {
    for (let at = 0; at < buffer.lines.length; at++) {
      const line = buffer.lines.get(at);
      if (line.length > width) line.resize(width, buffer.getNullCell());
      if (line.getWidth(width - 1) === 2) line.setCell(width - 1, buffer.getNullCell());
    }
  }
}

/** Draws the cursor as that of a terminal without the focus, whether it has it or not; a terminal that is hollow takes input all the same. */
export function drawHollow(terminal: { rows: number; refresh(start: number, end: number): void }, isHollow: boolean): void {
  const service = (terminal as unknown as Inside)._core._coreBrowserService;
  if (service === undefined) return;
  if (isHollow) Object.defineProperty(service, 'isFocused', { get: () => false, configurable: true });
  else Reflect.deleteProperty(service, 'isFocused');
  terminal.refresh(0, terminal.rows - 1);
}

/**
 * Shows the end of the terminal, and its next output too. A hidden terminal that is resized keeps its former height until the browser is
 * idle; output that comes before scrolls too little, which counts as a scroll of the user, who wants to stay there.
 */
export function showEnd(terminal: { rows: number; refresh(start: number, end: number): void }): void {
  const { _bufferService: service, _viewport: viewport } = (terminal as unknown as Inside)._core;
  const { active } = service.buffers;
  service.isUserScrolling = false;
  active.ydisp = active.ybase;
  if (viewport !== undefined) {
    viewport._latestYDisp = undefined; // or it would take the place as known, and not move the scroll bar
    viewport._sync();
  }
  terminal.refresh(0, terminal.rows - 1);
}

/** Removes the oldest lines above the screen. Written as a code, this could end up within another one. */
export function trimScrollback(terminal: object, lines: number): void {
  const { normal } = (terminal as Inside)._core._bufferService.buffers;
  normal.lines.trimStart(lines);
  normal.ybase -= lines;
  normal.ydisp = Math.max(0, normal.ydisp - lines);
}

/** Holds an incomplete character back until its last byte comes: xterm.js drops some characters that arrive in pieces. */
export class WholeCharacters {
  #left: Uint8Array = new Uint8Array();

  /** The bytes that can be written now; the rest is put before the next ones. */
  of(bytes: Uint8Array): Uint8Array {
    const all = this.#left.length === 0 ? bytes : joined(this.#left, bytes);
    const end = all.length - unfinished(all);
    this.#left = all.slice(end);
    return all.subarray(0, end);
  }

  forget(): void {
    this.#left = new Uint8Array();
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** The number of bytes at the end that are an incomplete character. */
function unfinished(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > count ? count : 0;
  }
  return 0;
}
