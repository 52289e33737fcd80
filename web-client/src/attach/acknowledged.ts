import type { Surroundings } from './surroundings';
import { writeParsed } from './wire';

const ACKNOWLEDGE_BYTES = 32 * 1024; // a quarter of what the server sends ahead
const ACKNOWLEDGE_MS = 100;

/** Tells the server what is parsed: of a flood at once, that the next comes in time; a rest a moment later, not to answer every key. */
export class Acknowledged {
  readonly #send: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly #world: Surroundings;
  #bytes = 0;
  #seq = 0;
  #told = 0;
  #floods = false;
  #cancel: (() => void) | undefined;

  constructor(send: (bytes: Uint8Array<ArrayBuffer>) => void, world: Surroundings) {
    this.#send = send;
    this.#world = world;
  }

  /** Acknowledges at once: after the first acknowledgement, the server sends no more than the client can take. */
  begin(seq: number): void {
    this.#seq = seq;
    this.#tell();
  }

  parsed(bytes: number, nextSeq: number): void {
    this.#seq = nextSeq;
    this.#bytes += bytes;
    // Of output that comes in several pieces only the last moves the seq: to tell the same once more would help nobody. And what has been
    // told may have been the beginning of a frame, whose short end is waited for: in a flood, what comes next is told at once too.
    if (nextSeq > this.#told && (this.#floods || this.#bytes >= ACKNOWLEDGE_BYTES)) this.#tell();
    else this.#cancel ??= this.#world.later(() => this.#tell(), ACKNOWLEDGE_MS);
  }

  /** At once: before it is parsed there comes no newer one. */
  screen(nextSeq: number): void {
    this.#seq = Math.max(this.#seq, nextSeq);
    this.#tell();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #tell(): void {
    this.stop();
    this.#floods = this.#bytes >= ACKNOWLEDGE_BYTES;
    this.#bytes = 0;
    this.#told = this.#seq;
    this.#send(writeParsed(this.#seq));
  }
}
