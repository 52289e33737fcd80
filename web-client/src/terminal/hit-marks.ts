import type { IDecoration } from '@xterm/xterm';
import type { Hit } from '../watchers/hits';
import type { Screen } from './screen';

const MOST_MARKS = 500; // the newest hits; each mark is a decoration that the terminal tracks
const MOST_LINES = 2_000; // that are searched for the text of new hits
const RULER_PX = 14; // the scrollbar's width, so that the terminal keeps its columns
const COLOUR = '#c98a1b';

/** The end of the text before which a match is searched for. */
interface Before {
  readonly line: number;
  readonly column: number;
}

/**
 * Marks the lines of hits on a terminal's scrollbar. A terminal keeps no offsets, so the line of a hit is found by its text,
 * upwards from the newest hit to the oldest. The replay shows the screen of each hit exactly.
 */
export class HitMarks {
  readonly #screen: Screen;
  #decorations: IDecoration[] = [];
  #marked = -1; // the seq of the last hit that was looked for

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Marks the hits that are new since the last call. */
  show(hits: readonly Hit[]): void {
    const terminal = this.#screen.terminal;
    const fresh = hits.filter(({ seq }) => seq > this.#marked).slice(-MOST_MARKS);
    const newest = fresh.at(-1);
    if (newest === undefined || terminal.buffer.active.type === 'alternate') return;
    this.#marked = newest.seq;
    if (terminal.options.overviewRuler?.width === undefined) terminal.options.overviewRuler = { width: RULER_PX };
    const { active } = terminal.buffer;
    const cursor = active.baseY + active.cursorY;
    const textOf = (line: number): string | undefined => active.getLine(line)?.translateToString(true);
    for (const line of linesOf(fresh.map(({ matched }) => matched), cursor, textOf)) this.#mark(line - cursor);
    for (const old of this.#decorations.splice(0, this.#decorations.length - MOST_MARKS)) old.dispose();
  }

  /** The screen is replaced: its lines have no marks. */
  clear(): void {
    for (const each of this.#decorations) each.dispose();
    this.#decorations = [];
    this.#marked = -1;
  }

  /** @param offset of the line from the cursor's */
  #mark(offset: number): void {
    const terminal = this.#screen.terminal;
    const decoration = terminal.registerDecoration({
      marker: terminal.registerMarker(offset),
      overviewRulerOptions: { color: COLOUR, position: 'full' },
    });
    if (decoration !== undefined) this.#decorations.push(decoration);
  }
}

/** The lines of these texts, which were written in this order, the last one at most in the line `last`. */
export function linesOf(
  texts: readonly string[],
  last: number,
  textOf: (line: number) => string | undefined,
  most = MOST_LINES,
): number[] {
  const lines = new Set<number>();
  let before: Before = { line: last, column: Infinity };
  for (const text of texts.toReversed()) {
    const [wanted = ''] = text.split('\n');
    const found = wanted.trim() === '' ? undefined : find(wanted, before, Math.max(0, last - most), textOf);
    if (found === undefined) continue;
    lines.add(found.line);
    before = found;
  }
  return [...lines];
}

function find(
  wanted: string,
  before: Before,
  first: number,
  textOf: (line: number) => string | undefined,
): Before | undefined {
  for (let line = before.line; line >= first; line--) {
    const text = textOf(line)?.slice(0, line === before.line ? before.column : undefined);
    if (text === undefined) return undefined;
    const column = text.lastIndexOf(wanted);
    if (column >= 0) return { line, column };
  }
  return undefined;
}
