import type { Size } from '../terminal/screen';
import type { Step } from './steps';

export const SPEEDS = [0.5, 1, 2, 4, 8] as const;
export const IDLE_MS = 2_000; // a longer time without a visible change is cut to this

/** The record of one task. */
export interface Recorded {
  /** The bytes that draw the screen right after a frame, and its size. */
  screen(seq: number): Promise<Size & { readonly ansi: Uint8Array }>;
  steps(fromSeq: number, signal: AbortSignal): AsyncIterable<Step>;
  timeOf(seq: number): Promise<number>;
  /** The last frame so far. */
  last(): number;
}

export interface Shown {
  clear(size: Size): void;
  resize(size: Size): void;
  write(bytes: Uint8Array, parsed: () => void): void;
  /** The player is at another place, or in another state. */
  changed(): void;
  failed(reason: unknown): void;
}

/** The clock, which a test can replace. */
export interface Clock {
  now(): number;
  later(act: () => void, ms: number): () => void;
}

const TICK_MS = 16;
const AHEAD_STEPS = 500;
const AHEAD_BYTES = 1024 * 1024;
const UNPARSED_BYTES = 512 * 1024; // with more than this, the terminal does not react any longer
const BEHIND_MS = 250; // a viewer notices a clock that is later than this

/**
 * Shows the record at its own speed or another, from any frame on. If more was written than can be shown in time, the clock keeps its
 * speed: the player skips output and shows the screen of that moment.
 */
export class Player {
  readonly #recorded: Recorded;
  readonly #shown: Shown;
  readonly #clock: Clock;
  #queue: Step[] = [];
  #queuedBytes = 0;
  #unparsed = 0;
  #room: (() => void) | undefined;
  #reading = new AbortController();
  #anyRead = false;
  #allRead = false;
  #wanted: number | undefined;
  #wantedAt = -Infinity;
  #seeking: Promise<boolean> | undefined;
  #lastTick = 0;
  #cancelTick: (() => void) | undefined;
  #stepAt = 0;
  #due = 0; // the moment of the record that would be shown if all could be shown in time
  #leaping = false;
  #leapTo: number | undefined;
  #closed = false;
  speed = 1;
  playing = false;
  /** The last shown frame. */
  seq = 0;
  /** The current moment of the record. */
  at = 0;

  constructor(recorded: Recorded, shown: Shown, clock: Clock) {
    this.#recorded = recorded;
    this.#shown = shown;
    this.#clock = clock;
  }

  /** Whether the end is reached. */
  get over(): boolean {
    return this.#allRead && this.#queue.length === 0;
  }

  play(): void {
    if (this.#closed || this.playing || this.over) return;
    this.playing = true;
    this.#due = this.at;
    this.#lastTick = this.#clock.now();
    this.#tickSoon();
    this.#shown.changed();
  }

  pause(): void {
    this.playing = false;
    this.#cancelTick?.();
    this.#shown.changed();
  }

  /**
   * Shows the screen right after this frame; of several quick requests, only the last one. Returns whether it was reached.
   *
   * @param at the moment of the clock, before the next frame; by default that of the frame
   */
  seek(seq: number, at = -Infinity): Promise<boolean> {
    this.#leapTo = undefined;
    return this.#seekTo(seq, at);
  }

  async #seekTo(seq: number, at = -Infinity): Promise<boolean> {
    if (this.#closed) return false;
    this.#wanted = seq;
    this.#wantedAt = at;
    this.#seeking ??= this.#seek().finally(() => (this.#seeking = undefined));
    return this.#seeking;
  }

  close(): void {
    this.#closed = true;
    this.#reading.abort();
    this.#room?.();
    this.#cancelTick?.();
    this.playing = false;
  }

  async #seek(): Promise<boolean> {
    let came = false;
    while (this.#wanted !== undefined) {
      const seq = this.#wanted;
      came = false;
      try {
        const [screen, at] = await Promise.all([this.#recorded.screen(seq), this.#recorded.timeOf(seq)]);
        if (this.#closed) return false;
        if (this.#wanted !== seq) continue;
        this.#wanted = undefined;
        this.#shown.clear(screen);
        await new Promise<void>((resolve) => this.#write(screen.ansi, resolve));
        if (this.#closed) return false;
        this.seq = seq;
        this.#stepAt = at;
        this.at = Math.max(at, this.#wantedAt);
        if (seq !== this.#leapTo) this.#due = this.at;
        this.#read(seq);
        this.#shown.changed();
        came = true;
      } catch (refused) {
        if (this.#closed) return false;
        if (this.#wanted !== undefined && this.#wanted !== seq) continue; // another place is wanted by now
        this.#wanted = undefined;
        this.#due = this.at;
        this.#shown.failed(refused);
      }
    }
    return came;
  }

  /** Reads the frames after this one. Reads this one too, since it may be the last, which shows that nothing follows. */
  #read(seq: number): void {
    this.#reading.abort();
    this.#room?.();
    const reading = new AbortController();
    this.#reading = reading;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#anyRead = this.#allRead = false;
    void (async () => {
      try {
        for await (const step of this.#recorded.steps(seq, reading.signal)) {
          if (reading.signal.aborted) return;
          if (step.seq <= seq) continue;
          this.#anyRead = true;
          this.#queue.push(step);
          this.#queuedBytes += step.bytes?.length ?? 0;
          while (
            (this.#queue.length >= AHEAD_STEPS || this.#queuedBytes >= AHEAD_BYTES) &&
            !reading.signal.aborted
          ) {
            await new Promise<void>((resolve) => (this.#room = resolve));
          }
        }
        if (reading.signal.aborted) return;
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
    this.#due += (now - this.#lastTick) * this.speed;
    this.#lastTick = now;
    if (this.over) {
      this.pause();
      return;
    }
    if (this.#seeking === undefined && !this.#leaping) {
      if (this.#queue.length > 0 && this.#unparsed < UNPARSED_BYTES) this.#advance();
      if (this.#stands) this.#due = this.at;
      else if (this.#anyRead && this.#due - this.at > BEHIND_MS * this.speed) void this.#leap();
    }
    this.#tickSoon();
  }

  /** Whether the clock stands: nothing more has been recorded, or the first step after a seek has not come. */
  get #stands(): boolean {
    const isAwaited = !this.#anyRead && this.#leapTo === undefined;
    return this.#queue.length === 0 && (isAwaited || this.seq >= this.#recorded.last());
  }

  async #leap(): Promise<void> {
    this.#leaping = true;
    try {
      const seq = await this.#seqDue();
      // A seek of the user during the request takes precedence.
      if (!this.playing || this.#seeking !== undefined || seq <= this.seq) return;
      this.#leapTo = seq;
      await this.#seekTo(seq);
    } catch (refused) {
      this.#due = this.at;
      this.#shown.failed(refused);
    } finally {
      this.#leaping = false;
    }
  }

  /** A frame near the moment that is due, found in few steps: interpolation, which suits even floods, and bisection every other step. */
  async #seqDue(): Promise<number> {
    const last = this.#recorded.last();
    let low = { seq: this.seq, at: this.#stepAt };
    let high = { seq: last, at: await this.#recorded.timeOf(last) };
    for (let halves = false; high.seq - low.seq > 1; halves = !halves) {
      if (high.at <= this.#due) return high.seq;
      const share = halves ? 0.5 : (this.#due - low.at) / (high.at - low.at);
      const seq = Math.min(high.seq - 1, low.seq + Math.max(1, Math.round(share * (high.seq - low.seq))));
      const at = await this.#recorded.timeOf(seq);
      if (Math.abs(this.#due - at) < (BEHIND_MS / 2) * this.speed) return seq;
      if (at < this.#due) low = { seq, at };
      else high = { seq, at };
    }
    return low.seq;
  }

  #advance(): void {
    this.at = this.#due;
    for (let next = this.#queue[0]; next !== undefined && this.#unparsed < UNPARSED_BYTES; next = this.#queue[0]) {
      if (next.at - this.#stepAt > IDLE_MS && this.at - this.#stepAt >= IDLE_MS) this.at = Math.max(this.at, next.at);
      if (next.at > this.at) break;
      this.#apply(next);
    }
    const next = this.#queue[0];
    if (next !== undefined && next.at > this.at) this.#due = this.at; // everything due is shown
    else this.at = next?.at ?? this.#stepAt;
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
