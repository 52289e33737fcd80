import type { Size } from '../terminal/screen';
import type { Step } from './steps';

export const SPEEDS = [0.5, 1, 2, 4, 8] as const;
export const IDLE_MS = 2_000; // what lasts longer without anything to see is cut to that

/** What the record says, of whichever task. */
export interface Recorded {
  /** What writes the screen right after a frame, and its size. */
  screen(seq: number): Promise<Size & { readonly ansi: Uint8Array }>;
  steps(fromSeq: number, signal: AbortSignal): AsyncIterable<Step>;
  timeOf(seq: number): Promise<number>;
}

export interface Shown {
  clear(size: Size): void;
  resize(size: Size): void;
  write(bytes: Uint8Array, parsed: () => void): void;
  /** The player is somewhere else, or does something else. */
  changed(): void;
  failed(reason: unknown): void;
}

/** The clock, so that a test can be it. */
export interface Clock {
  now(): number;
  later(act: () => void, ms: number): () => void;
}

const TICK_MS = 16;
const AHEAD_STEPS = 500;
const AHEAD_BYTES = 1024 * 1024;
const UNPARSED_BYTES = 512 * 1024; // more than that and the terminal is not answering any more

/** Shows what was recorded, at its own pace or another, from any frame on. */
export class Player {
  readonly #recorded: Recorded;
  readonly #shown: Shown;
  readonly #clock: Clock;
  #queue: Step[] = [];
  #queuedBytes = 0;
  #unparsed = 0;
  #room: (() => void) | undefined;
  #reading = new AbortController();
  #allRead = false;
  #wanted: number | undefined;
  #seeking: Promise<void> | undefined;
  #lastTick = 0;
  #cancelTick: (() => void) | undefined;
  #stepAt = 0;
  speed = 1;
  playing = false;
  /** The last frame that is shown. */
  seq = 0;
  /** The moment of the record that it is now. */
  at = 0;

  constructor(recorded: Recorded, shown: Shown, clock: Clock) {
    this.#recorded = recorded;
    this.#shown = shown;
    this.#clock = clock;
  }

  /** Whether there is nothing to come. */
  get over(): boolean {
    return this.#allRead && this.#queue.length === 0;
  }

  play(): void {
    if (this.playing || this.over) return;
    this.playing = true;
    this.#lastTick = this.#clock.now();
    this.#tickSoon();
    this.#shown.changed();
  }

  pause(): void {
    this.playing = false;
    this.#cancelTick?.();
    this.#shown.changed();
  }

  /** The screen right after this frame; of several that are asked for quickly, the last one. */
  seek(seq: number): Promise<void> {
    this.#wanted = seq;
    this.#seeking ??= this.#seek().finally(() => (this.#seeking = undefined));
    return this.#seeking;
  }

  /** So much later, or earlier: at least one frame, also where nothing happened for long. */
  async skip(ms: number, lastSeq: number): Promise<void> {
    const found = await this.#seqAt(this.at + ms, lastSeq);
    await this.seek(
      ms > 0 ? Math.min(lastSeq, Math.max(found, this.seq + 1)) : Math.max(0, Math.min(found, this.seq - 1)),
    );
  }

  close(): void {
    this.#reading.abort();
    this.#room?.();
    this.#cancelTick?.();
    this.playing = false;
  }

  async #seek(): Promise<void> {
    while (this.#wanted !== undefined) {
      const seq = this.#wanted;
      try {
        const [screen, at] = await Promise.all([this.#recorded.screen(seq), this.#recorded.timeOf(seq)]);
        if (this.#wanted !== seq) continue;
        this.#wanted = undefined;
        this.#shown.clear(screen);
        await new Promise<void>((resolve) => this.#write(screen.ansi, resolve));
        this.seq = seq;
        this.at = this.#stepAt = at;
        this.#lastTick = this.#clock.now();
        this.#read(seq + 1);
        this.#shown.changed();
      } catch (refused) {
        this.#wanted = undefined;
        this.#shown.failed(refused);
      }
    }
  }

  /** The last frame that there was at that moment. */
  async #seqAt(moment: number, lastSeq: number): Promise<number> {
    let [low, high] = [0, lastSeq];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((await this.#recorded.timeOf(middle)) <= moment) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #read(fromSeq: number): void {
    this.#reading.abort();
    this.#room?.();
    const reading = new AbortController();
    this.#reading = reading;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#allRead = false;
    void (async () => {
      try {
        for await (const step of this.#recorded.steps(fromSeq, reading.signal)) {
          if (reading.signal.aborted) return;
          this.#queue.push(step);
          this.#queuedBytes += step.bytes?.length ?? 0;
          while (
            (this.#queue.length >= AHEAD_STEPS || this.#queuedBytes >= AHEAD_BYTES) &&
            !reading.signal.aborted
          ) {
            await new Promise<void>((resolve) => (this.#room = resolve));
          }
        }
        this.#allRead = true;
        this.#shown.changed();
      } catch (refused) {
        if (!reading.signal.aborted) this.#shown.failed(refused);
      }
    })();
  }

  #tickSoon(): void {
    this.#cancelTick = this.#clock.later(() => this.#tick(), TICK_MS);
  }

  #tick(): void {
    const now = this.#clock.now();
    const passed = (now - this.#lastTick) * this.speed;
    this.#lastTick = now;
    if (this.over) {
      this.pause();
      return;
    }
    // While the next frame has not come, or the terminal has enough to do, time stands still.
    if (this.#seeking === undefined && this.#queue.length > 0 && this.#unparsed < UNPARSED_BYTES) this.#advance(passed);
    this.#tickSoon();
  }

  #advance(passed: number): void {
    this.at += passed;
    for (let next = this.#queue[0]; next !== undefined && this.#unparsed < UNPARSED_BYTES; next = this.#queue[0]) {
      if (next.at - this.#stepAt > IDLE_MS && this.at - this.#stepAt >= IDLE_MS) this.at = Math.max(this.at, next.at);
      if (next.at > this.at) break;
      this.#apply(next);
    }
    this.at = Math.min(this.at, this.#queue[0]?.at ?? this.#stepAt);
    if (this.#queue.length < AHEAD_STEPS / 2 && this.#queuedBytes < AHEAD_BYTES / 2) this.#room?.();
    this.#shown.changed();
  }

  #apply(step: Step): void {
    this.#queue.shift();
    this.#queuedBytes -= step.bytes?.length ?? 0;
    this.seq = step.seq;
    this.#stepAt = step.at;
    if (step.size !== null) this.#shown.resize(step.size);
    if (step.bytes !== null) this.#write(step.bytes);
  }

  #write(bytes: Uint8Array, parsed: () => void = () => undefined): void {
    this.#unparsed += bytes.length;
    this.#shown.write(bytes, () => {
      this.#unparsed -= bytes.length;
      parsed();
    });
  }
}
