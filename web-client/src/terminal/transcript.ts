import type { IBufferCell, IBufferLine, Terminal } from '@xterm/xterm';
import type { Rendered } from '../log/lines';
import { resize, trimScrollback, WholeCharacters } from './exact';
import type { Size } from './screen';

const NEWLINE = 10;
const PIECE_LINES = 1_000; // written at once, far fewer than the terminal keeps
const PIECE_BYTES = 64 * 1024;
/** Lines that the terminal keeps between two pieces. */
export const SCROLLBACK_LINES = 8_000;

/** The lines of a terminal's output as the terminal shows them: those that have left its screen, which do not change any more, and those on it. */
export class Transcript {
  readonly #terminal: Terminal;
  readonly #characters = new WholeCharacters();
  readonly #cell: IBufferCell;
  readonly #times = new Map<number, number>(); // of rows, counted from the first row ever
  #rows = 0; // that were taken
  #reached = -1; // the last row that the cursor has been in
  #at = 0;
  #taken: Rendered[] = [];

  /** @param terminal in no document, which keeps {@link SCROLLBACK_LINES} */
  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#cell = terminal.buffer.normal.getNullCell();
    // A program that clears the scrollback clears nothing that was written before.
    terminal.parser.registerCsiHandler({ final: 'J' }, ([what]) => {
      if (what === 3) this.#take();
      return false;
    });
  }

  /** Writes bytes, and returns the lines that have left the screen. */
  async write(bytes: Uint8Array, at: number): Promise<readonly Rendered[]> {
    this.#at = at;
    const { active, normal } = this.#terminal.buffer;
    if (active.type === 'normal' && normal.cursorX === 0) this.#times.set(this.#rows + normal.baseY + normal.cursorY, at); // a line that begins now
    const whole = this.#characters.of(bytes);
    const most = Math.min(PIECE_BYTES, PIECE_LINES * this.#terminal.cols);
    for (let from = 0, to = 0; from < whole.length; from = to) {
      to = pieceEnd(whole, from, most);
      const piece = whole.subarray(from, to);
      await new Promise<void>((written) => this.#terminal.write(piece, written));
      this.#take();
    }
    return this.#taken.splice(0);
  }

  resize({ rows, cols }: Size): void {
    resize(this.#terminal, rows, cols);
  }

  /** The lines on the screen, down to the last one with text. */
  screen(): readonly Rendered[] {
    const { normal } = this.#terminal.buffer;
    let end = normal.length;
    while (end > 0 && (normal.getLine(end - 1)?.translateToString(true) ?? '') === '') end--;
    return this.#lines(end);
  }

  close(): void {
    this.#terminal.dispose();
  }

  /** Takes the lines above the screen. A line that continues on the screen stays. */
  #take(): void {
    this.#reach();
    const { normal } = this.#terminal.buffer;
    let end = normal.baseY;
    while (end > 0 && normal.getLine(end)?.isWrapped === true) end--;
    if (end === 0) return;
    this.#taken.push(...this.#lines(end));
    trimScrollback(this.#terminal, end);
    for (let row = this.#rows; row < this.#rows + end; row++) this.#times.delete(row);
    this.#rows += end;
  }

  /** The rows that the cursor has come to were written now. */
  #reach(): void {
    const { normal } = this.#terminal.buffer;
    const row = this.#rows + normal.baseY + normal.cursorY;
    while (this.#reached < row) this.#times.set(++this.#reached, this.#at);
  }

  /** The lines of the first rows; rows that continue others belong to their line. */
  #lines(end: number): Rendered[] {
    const { normal } = this.#terminal.buffer;
    const lines: { text: string; at: number | undefined }[] = [];
    for (let row = 0; row < end; row++) {
      const line = normal.getLine(row);
      if (line === undefined) break;
      const last = lines.at(-1);
      const continues = normal.getLine(row + 1)?.isWrapped === true && row + 1 < end;
      const text = textOf(line, this.#cell, continues);
      if (line.isWrapped && last !== undefined) last.text += text;
      else lines.push({ text, at: this.#times.get(this.#rows + row) });
    }
    return lines;
  }
}

/** After so many lines, or bytes. */
function pieceEnd(bytes: Uint8Array, from: number, most: number): number {
  const end = Math.min(bytes.length, from + most);
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE, from); at >= 0 && at < end; at = bytes.indexOf(NEWLINE, at + 1))
    if (++lines === PIECE_LINES) return at + 1;
  return end;
}

/** The text of a row with the codes of its colours; of the last row of a line, up to its last character. */
function textOf(line: IBufferLine, cell: IBufferCell, continues: boolean): string {
  const length = continues ? line.length : endOf(line, cell);
  let text = '';
  let style = '';
  for (let column = 0; column < length; column++) {
    if (line.getCell(column, cell) === undefined || cell.getWidth() === 0) continue;
    const next = styleOf(cell);
    if (next !== style) text += `\x1b[0${next}m`;
    style = next;
    const characters = cell.getChars();
    text += characters === '' || cell.isInvisible() !== 0 ? ' ' : characters;
  }
  return style === '' ? text : `${text}\x1b[0m`;
}

/** Behind the last cell that shows something. */
function endOf(line: IBufferLine, cell: IBufferCell): number {
  for (let column = line.length; column > 0; column--) {
    if (line.getCell(column - 1, cell) === undefined) continue;
    const isBlank = cell.getChars() === '' || cell.getChars() === ' ';
    if (!isBlank || cell.getWidth() === 0 || !cell.isBgDefault() || cell.isInverse() !== 0 || cell.isUnderline() !== 0) return column;
  }
  return 0;
}

function styleOf(cell: IBufferCell): string {
  if (cell.isAttributeDefault()) return '';
  const codes: (number | string)[] = [];
  if (cell.isBold() !== 0) codes.push(1);
  if (cell.isDim() !== 0) codes.push(2);
  if (cell.isItalic() !== 0) codes.push(3);
  if (cell.isUnderline() !== 0) codes.push(4);
  if (cell.isInverse() !== 0) codes.push(7);
  if (!cell.isFgDefault()) codes.push(colour(cell.getFgColor(), cell.isFgRGB(), 30));
  if (!cell.isBgDefault()) codes.push(colour(cell.getBgColor(), cell.isBgRGB(), 40));
  return codes.map((code) => `;${code}`).join('');
}

function colour(value: number, isRgb: boolean, base: 30 | 40): string | number {
  if (isRgb) return `${base + 8};2;${value >> 16};${(value >> 8) & 255};${value & 255}`;
  if (value < 8) return base + value;
  return value < 16 ? base + 52 + value : `${base + 8};5;${value}`;
}
