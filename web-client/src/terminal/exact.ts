/** What xterm.js 6 keeps where nobody sees it, which would come to light later: not to those who join in between. Both are for all to see the same. */

/** What of a terminal is not offered by it. */
interface Inside {
  _core: { _bufferService: { buffers: { normal: Buffer; alt: Buffer; active: Buffer } } };
}

interface Buffer {
  lines: { length: number; get(at: number): Line };
  getNullCell(): unknown;
  clear(): void;
}

interface Line {
  length: number;
  resize(cols: number, fill: unknown): void;
  getWidth(at: number): number;
  setCell(at: number, cell: unknown): void;
}

/** It is never narrower than a wide character, whatever it is told, and neither is a screen that the server makes. */
const LEAST_COLS = 2;

/** Gives it another size. Nothing of what is beyond the new edge stays: no cells, no half of a wide character, no lines of the other screen. */
export function resize(terminal: { resize(cols: number, rows: number): void }, rows: number, cols: number): void {
  terminal.resize(cols, rows);
  const width = Math.max(LEAST_COLS, cols);
  const { normal, alt, active } = (terminal as unknown as Inside)._core._bufferService.buffers;
  // Empty, but it would have room for as many lines as there were before.
  if (active === normal) alt.clear();
  for (const buffer of [normal, alt]) {
    for (let at = 0; at < buffer.lines.length; at++) {
      const line = buffer.lines.get(at);
      if (line.length > width) line.resize(width, buffer.getNullCell());
      if (line.getWidth(width - 1) === 2) line.setCell(width - 1, buffer.getNullCell());
    }
  }
}

/** Holds an incomplete character back until its last byte comes: xterm.js drops some characters that arrive in pieces. */
export class WholeCharacters {
  #left: Uint8Array = new Uint8Array();

  /** What can be written now; the rest goes in front of what comes next. */
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

/** How many bytes at the end begin a character and are not all of it. */
function unfinished(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > count ? count : 0;
  }
  return 0;
}
