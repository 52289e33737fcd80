import { readFrame } from '../frames/parse';
import { events, outputRange, Refusal } from '../server/api';
import type { Size } from '../terminal/screen';

/** The effect of one frame on the terminal, and its time. */
export interface Step {
  readonly seq: number;
  readonly at: number;
  readonly bytes: Uint8Array | null;
  readonly size: Size | null;
}

const BLOCK_BYTES = 256 * 1024;
const AGAIN_MS = 500;
const BREAKS = 5; // in a row, before the failure is reported

/** A terminal's steps from one frame to the end, including those that a running task still takes. Reconnects when the connection breaks. */
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

/** Reads an output's bytes in order, fetched some frames ahead. */
export class Output {
  readonly #fetch: (from: number, to: number) => Promise<Uint8Array>;
  #from = 0;
  #block: Uint8Array = new Uint8Array();
  readonly #gaps: { readonly from: number; readonly to: number }[] = []; // the missing bytes found so far

  constructor(fetch: (from: number, to: number) => Promise<Uint8Array>) {
    this.#fetch = fetch;
  }

  /** Empty if the bytes are beyond the limit, before the kept ones, or were never stored. */
  async read(from: number, length: number): Promise<Uint8Array> {
    const isMissing = (): boolean => this.#gaps.some((gap) => from >= gap.from && from < gap.to);
    if (length <= 0 || isMissing()) return new Uint8Array();
    if (from < this.#from || from + length > this.#from + this.#block.length) {
      for (let block: Uint8Array | null = null; block === null; ) {
        block = await this.#upToGap(from, from + Math.max(length, BLOCK_BYTES));
        if (isMissing()) return new Uint8Array();
        if (block !== null) this.#block = block;
      }
      this.#from = from;
    }
    return this.#block.subarray(from - this.#from, from - this.#from + length);
  }

  /** Null if it finds that further bytes are missing. */
  async #upToGap(from: number, to: number): Promise<Uint8Array | null> {
    const end = Math.min(to, ...this.#gaps.map((gap) => gap.from).filter((start) => start > from));
    try {
      return await this.#fetch(from, end);
    } catch (refused) {
      const missing = refused instanceof Refusal ? refused.missing : null;
      if (missing === null || this.#gaps.some((gap) => gap.from === missing.from && gap.to === missing.to)) throw refused;
      this.#gaps.push(missing);
      return null;
    }
  }
}
