import type { Channel } from '../frames/frames';
import type { Hit } from './hits';
import { Strip } from './strip';

const DRAW_EVERY_MS = 500; // while a log grows

/** Hits with their lines, and the way to one of them. */
export interface Marked {
  readonly hits: readonly Hit[];
  readonly current: number;
  lineOf(hit: Hit): number | null;
  go(hit: Hit): void;
}

/** The lines that a log shows: one channel's, or those of several channels with the places of their lines. */
export type ShownLines =
  | { readonly count: number; readonly only: Channel }
  | { readonly count: number; indicesOf(channel: Channel, numbers: ReadonlySet<number>): Map<number, number> };

/** The marks of hits beside the scrollbar of a log. */
export class LogMarks {
  readonly #strip = new Strip('vertical', (index) => this.#go(index));
  readonly #lines: () => ShownLines;
  #marked: Marked | undefined;
  #placed: readonly Hit[] = []; // those that have a mark
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(lines: () => ShownLines) {
    this.#lines = lines;
  }

  get strip(): HTMLElement {
    return this.#strip.root;
  }

  show(marked: Marked): void {
    this.#marked = marked;
    this.#draw();
  }

  /** The log has grown, or shows another channel. */
  changed(): void {
    if (this.#marked === undefined) return;
    this.#waiting ??= setTimeout(() => this.#draw(), DRAW_EVERY_MS);
  }

  close(): void {
    clearTimeout(this.#waiting);
    this.#strip.close();
  }

  #go(index: number): void {
    const hit = this.#placed[index];
    if (hit !== undefined) this.#marked?.go(hit);
  }

  #draw(): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
    if (this.#marked === undefined) return;
    const { hits, current, lineOf } = this.#marked;
    const lines = this.#lines();
    const placed = placesIn(hits, lineOf, lines);
    this.#placed = placed.map(({ hit }) => hit);
    const shown = hits[current];
    this.#strip.show(
      placed.map(({ place }) => place),
      shown === undefined ? -1 : this.#placed.indexOf(shown),
      `${placed.length} of ${hits.length} hits marked beside the log`,
    );
  }
}

/** The hits that lie in the shown lines, each with its place from 0 to 1. */
export function placesIn(
  hits: readonly Hit[],
  lineOf: (hit: Hit) => number | null,
  lines: ShownLines,
): { readonly hit: Hit; readonly place: number }[] {
  const numbered = hits.flatMap((hit) => {
    const line = lineOf(hit);
    return line === null ? [] : [{ hit, line }];
  });
  const placed = (hit: Hit, index: number | undefined): { hit: Hit; place: number }[] =>
    index === undefined || index >= lines.count ? [] : [{ hit, place: (index + 0.5) / lines.count }];
  if ('only' in lines)
    return numbered.flatMap(({ hit, line }) => (hit.channel === lines.only ? placed(hit, line - 1) : []));
  const indices = new Map(
    [...new Set(numbered.map(({ hit }) => hit.channel))].map((channel) => [
      channel,
      lines.indicesOf(channel, new Set(numbered.filter(({ hit }) => hit.channel === channel).map(({ line }) => line))),
    ]),
  );
  return numbered.flatMap(({ hit, line }) => placed(hit, indices.get(hit.channel)?.get(line)));
}
