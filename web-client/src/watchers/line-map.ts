import type { ToolTaskOutputDelta } from '../frames/frames';

interface Piece {
  readonly offset: number;
  readonly bytes: number;
  readonly line: number;
  readonly lines: number;
}

/** The lines of one channel's bytes, by the frames of its output: exact in frames of one line. */
export class LineMap {
  readonly #pieces: Piece[] = []; // in the order of their offsets

  /** Adds the lines of a frame; frames come in order, or all at once before the others. */
  add(log: ToolTaskOutputDelta['artifacts']['log']): void {
    const { offset_bytes: offset, bytes, first_line: line, lines } = log;
    if (line == null || lines == null || bytes === 0) return;
    this.#pieces.push({ offset, bytes, line, lines });
  }

  /** Puts the pieces of earlier frames before these. */
  prepend(earlier: LineMap): void {
    this.#pieces.unshift(...earlier.#pieces);
  }

  /** The line, counted from 1; null if no frame has its number. */
  lineAt(offset: number): number | null {
    let [low, high] = [-1, this.#pieces.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#pieces[middle]?.offset ?? Infinity) <= offset) low = middle;
      else high = middle - 1;
    }
    const first = this.#pieces[0];
    const piece = this.#pieces[low];
    // Before the first known frame, lines are taken to be of one length.
    if (piece === undefined)
      return first === undefined ? null : 1 + Math.floor((offset / first.offset) * (first.line - 1));
    const share = Math.min(1, (offset - piece.offset) / piece.bytes);
    return piece.line + Math.min(Math.max(0, piece.lines - 1), Math.floor(share * piece.lines));
  }
}
