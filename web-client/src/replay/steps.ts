import { readFrame } from '../frames/parse';
import { events, outputRange, Refusal } from '../server/api';
import type { Size } from '../terminal/screen';

/** What one frame did to the terminal, and when. */
export interface Step {
  readonly seq: number;
  readonly at: number;
  readonly bytes: Uint8Array | null;
  readonly size: Size | null;
}

const BLOCK_BYTES = 256 * 1024;
const AGAIN_MS = 500;
const BREAKS = 5; // in a row, before somebody is told

/** A terminal's steps from one frame to its end: of a task that runs, also what it does meanwhile. A connection that breaks is made again. */
export async function* stepsOf(taskId: string, fromSeq: number, signal: AbortSignal): AsyncGenerator<Step, void> {
  const output = new Output((from, to) => outputRange(taskId, 'pty', from, to, signal));
  let next = fromSeq;
  let breaks = 0;
  while (!signal.aborted) {
    try {
      for await (const json of events(taskId, next, signal)) {
        const { known, frame } = readFrame(json);
        const { seq, timestamp_ms: at } = frame;
        let [bytes, size]: [Uint8Array | null, Size | null] = [null, null];
        if (known && frame.type === 'tool_task_output_delta') {
          const { offset_bytes: from, bytes_stored: end } = frame.artifacts.log;
          bytes = await output.read(from, end - from);
        } else if (known && frame.type === 'tool_task_resized') {
          size = { rows: frame.rows, cols: frame.cols };
        }
        yield { seq, at, bytes, size };
        next = seq + 1;
        breaks = 0;
        if (known && frame.type === 'tool_task_status' && frame.phase === 'ended') return;
      }
    } catch (broken) {
      if (signal.aborted) return;
      if (++breaks > BREAKS || (broken instanceof Refusal && broken.status >= 400)) throw broken;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** Bytes of an output that is read from one end to the other, fetched some frames ahead. */
export class Output {
  readonly #fetch: (from: number, to: number) => Promise<Uint8Array>;
  #from = 0;
  #block: Uint8Array = new Uint8Array();
  #first = 0; // where the output begins, once that is known

  constructor(fetch: (from: number, to: number) => Promise<Uint8Array>) {
    this.#fetch = fetch;
  }

  /** None where it is beyond the cap, or before what is kept. */
  async read(from: number, length: number): Promise<Uint8Array> {
    if (length <= 0 || from < this.#first) return new Uint8Array();
    if (from < this.#from || from + length > this.#from + this.#block.length) {
      try {
        this.#block = await this.#fetch(from, from + Math.max(length, BLOCK_BYTES));
      } catch (refused) {
        if (!(refused instanceof Refusal) || refused.firstOffset === null) throw refused;
        this.#first = refused.firstOffset;
        return new Uint8Array();
      }
      this.#from = from;
    }
    return this.#block.subarray(from - this.#from, from - this.#from + length);
  }
}
