import type { Channel, ToolTaskOutputDelta } from '../frames/frames';
import { readFrame } from '../frames/parse';
import { events, taskOf } from '../server/api';

/** Frames of output with their times, from one frame to another. */
export type Deltas = (fromSeq: number, toSeq: number, signal: AbortSignal) => AsyncGenerator<ToolTaskOutputDelta, void>;

interface Piece {
  readonly first: number; // line
  readonly end: number; // the line behind it
  readonly at: number;
}

const READ_FRAMES = 400; // at once: more than the frames of the lines in view, unless each byte is a frame
const NEAR_FRAMES = 200; // from one frame of a channel to the next; beyond, the time of the line stays unknown
const MOST_PIECES = 20_000; // kept of a channel

/** When lines were written, read from the frames near them, on request. All lines of a frame have its time. */
export class LineTimes {
  readonly #deltas: Deltas;
  readonly #last: () => Promise<number>;
  readonly #changed: () => void;
  readonly #pieces = new Map<Channel, Piece[]>();
  readonly #stop = new AbortController();
  #wanted: { readonly channel: Channel; readonly line: number } | undefined;
  #reading = false;
  readonly #unknown = new Set<string>(); // lines whose frames have no line numbers, or do not exist yet

  /** @param last the newest frame @param changed is called when further times are known */
  constructor(deltas: Deltas, last: () => Promise<number>, changed: () => void) {
    this.#deltas = deltas;
    this.#last = last;
    this.#changed = changed;
  }

  /** The time of a line; null while it is not known, and then it is read. */
  of(channel: Channel, line: number): number | null {
    const pieces = this.#pieces.get(channel) ?? [];
    let [low, high] = [-1, pieces.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((pieces[middle]?.first ?? Infinity) <= line) low = middle;
      else high = middle - 1;
    }
    const piece = pieces[low];
    if (piece !== undefined && line < piece.end) return piece.at;
    if (!this.#unknown.has(`${channel} ${line}`)) {
      this.#wanted = { channel, line };
      void this.#read();
    }
    return null;
  }

  /** There are further frames. */
  grown(): void {
    this.#unknown.clear();
  }

  close(): void {
    this.#stop.abort();
  }

  async #read(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    try {
      for (let wanted = this.#wanted; wanted !== undefined && !this.#stop.signal.aborted; wanted = this.#wanted) {
        this.#wanted = undefined;
        await this.#readAt(wanted.channel, wanted.line);
        this.#unknown.add(`${wanted.channel} ${wanted.line}`); // if it still is
        this.#changed();
      }
    } catch {
      // The views show that the server does not respond; times are read with the next lines.
    } finally {
      this.#reading = false;
    }
  }

  /** Finds the frame of a line by bisection, and reads from there on. */
  async #readAt(channel: Channel, line: number): Promise<void> {
    const last = await this.#last();
    let [low, high] = [0, last];
    while (low < high && !this.#stop.signal.aborted) {
      const middle = Math.ceil((low + high) / 2);
      const first = await this.#firstOf(channel, middle, last);
      if (first === null || first >= line) high = middle - 1;
      else low = middle;
    }
    let read = 0;
    for await (const delta of this.#from(low, last)) {
      this.#keep(delta);
      if (++read >= READ_FRAMES) return;
    }
  }

  /** The line of the first frame with output of this channel, from a frame on. */
  async #firstOf(channel: Channel, seq: number, last: number): Promise<number | null> {
    let read = 0;
    for await (const { stream, artifacts } of this.#from(seq, last)) {
      if (stream === channel && artifacts.log.first_line != null) return artifacts.log.first_line;
      if (++read >= NEAR_FRAMES) return null;
    }
    return null;
  }

  async *#from(seq: number, last: number): AsyncGenerator<ToolTaskOutputDelta, void> {
    const enough = new AbortController();
    try {
      yield* this.#deltas(seq, last, AbortSignal.any([this.#stop.signal, enough.signal]));
    } finally {
      enough.abort();
    }
  }

  #keep({ stream, timestamp_ms: at, artifacts: { log } }: ToolTaskOutputDelta): void {
    if (log.first_line == null || log.lines == null) return;
    const pieces = this.#pieces.get(stream) ?? [];
    this.#pieces.set(stream, pieces);
    if (pieces.length >= MOST_PIECES) pieces.length = 0;
    let place = pieces.length;
    while ((pieces[place - 1]?.first ?? 0) > log.first_line) place--;
    // A line that continues in another frame has the time of its beginning.
    const first = Math.max(log.first_line, pieces[place - 1]?.end ?? 0);
    const end = log.first_line + log.lines;
    if (end > first) pieces.splice(place, 0, { first, end, at });
  }
}

/** The times of a task's lines. */
export function timesOf(taskId: string, changed: () => void): LineTimes {
  async function* deltas(fromSeq: number, toSeq: number, signal: AbortSignal): AsyncGenerator<ToolTaskOutputDelta, void> {
    if (fromSeq > toSeq) return;
    for await (const json of events(taskId, fromSeq, signal)) {
      const { known, frame } = readFrame(json);
      if (known && frame.type === 'tool_task_output_delta') yield frame;
      if (frame.seq >= toSeq) return;
    }
  }
  const last = async (): Promise<number> => (await taskOf(taskId)).next_seq - 1;
  return new LineTimes(deltas, last, changed);
}

/** A time of day, with thousandths. */
export function clockOf(ms: number): string {
  const time = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}
