import type { Frame } from '../frames/frames';
import { IDLE_MS } from './player';

/** A place in a record: a moment, and the last frame before it. */
export interface Moment {
  readonly seq: number;
  readonly at: number;
}

/** Something that happened, besides output. */
export interface Happening {
  readonly seq: number;
  readonly kind: 'input' | 'resize' | 'end';
  readonly words: string;
}

/** A frame whose time is known. Between two that do not follow each other, frames are taken to be evenly spread. */
interface Known extends Moment {
  readonly played: number;
}

/** The clock of a replay: the time as it is played, in which longer pauses are cut. */
export class PlayedTime {
  readonly #known: Known[] = [];
  readonly happenings: Happening[] = [];

  /** The frame behind the last one that is known. */
  get next(): number {
    return (this.#known.at(-1)?.seq ?? -1) + 1;
  }

  get total(): number {
    return this.#known.at(-1)?.played ?? 0;
  }

  /** Adds the next frame. */
  add({ known, frame }: Frame): void {
    const { seq } = frame;
    this.skipTo(seq, frame.timestamp_ms);
    if (!known) return;
    if (frame.type === 'tool_task_stdin_written') this.happenings.push({ seq, kind: 'input', words: 'typed' });
    if (frame.type === 'tool_task_resized') this.happenings.push({ seq, kind: 'resize', words: `${frame.cols} × ${frame.rows}` });
    if (frame.type === 'tool_task_status' && frame.phase === 'ended') this.happenings.push({ seq, kind: 'end', words: 'ended' });
  }

  /** Adds the time of a later frame. Pauses between frames that are not known are not cut. */
  skipTo(seq: number, time: number): void {
    const last = this.#known.at(-1);
    const at = Math.max(last?.at ?? time, time); // a clock may have been set back
    const passed = last === undefined ? 0 : at - last.at;
    this.#known.push({ seq, at, played: (last?.played ?? 0) + (seq === this.next ? Math.min(IDLE_MS, passed) : passed) });
  }

  timeOf(seq: number): number | undefined {
    const known = this.#before('seq', seq)[0];
    return known?.seq === seq ? known.at : undefined;
  }

  /** The played time of a frame. */
  ofFrame(seq: number): number {
    const [known, next] = this.#before('seq', seq);
    if (known === undefined) return 0;
    const share = next === undefined ? 0 : (seq - known.seq) / (next.seq - known.seq);
    return known.played + share * ((next?.played ?? known.played) - known.played);
  }

  /** The played time of a moment. */
  ofMoment({ seq, at }: Moment): number {
    const [known, next] = this.#before('seq', seq);
    if (known === undefined) return 0;
    const passed = Math.max(0, at - known.at);
    return Math.min(next?.played ?? Infinity, known.played + (isBeside(known, next) ? Math.min(IDLE_MS, passed) : passed));
  }

  /** The moment at a played time. */
  at(played: number): Moment {
    const [known, next] = this.#before('played', played);
    if (known === undefined) return { seq: 0, at: 0 };
    if (next === undefined) return { seq: known.seq, at: known.at };
    const rest = Math.max(0, played - known.played);
    if (isBeside(known, next)) return { seq: known.seq, at: known.at + rest };
    const share = rest / Math.max(1, next.played - known.played);
    return { seq: known.seq + Math.floor(share * (next.seq - known.seq)), at: known.at + rest };
  }

  /** The last known frame at or before this one, and the one behind it. */
  #before(what: 'seq' | 'played', wanted: number): [Known | undefined, Known | undefined] {
    let [low, high] = [0, Math.max(0, this.#known.length - 1)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#known[middle]?.[what] ?? Infinity) <= wanted) low = middle;
      else high = middle - 1;
    }
    return [this.#known[low], this.#known[low + 1]];
  }
}

function isBeside(known: Known, next: Known | undefined): boolean {
  return next === undefined || next.seq === known.seq + 1;
}
