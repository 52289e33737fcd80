import type { Surroundings } from './surroundings';
import { writeParsed } from './wire';

const ACKNOWLEDGE_BYTES = 32 * 1024; // a quarter of what the server sends ahead
const ACKNOWLEDGE_MS = 100;

/** Acknowledges parsed output: at once in a flood, so that the next output arrives in time, else a moment later, not after every key. */
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
    // If a frame's output arrives in several pieces, only the last moves the seq: do not acknowledge a seq twice. An acknowledged seq
    // may lie before a frame whose short end is still to come: in a flood, the next one is acknowledged at once too.
    if (nextSeq > this.#told && (this.#floods || this.#bytes >= ACKNOWLEDGE_BYTES)) this.#tell();
    else this.#cancel ??= this.#world.later(() => this.#tell(), ACKNOWLEDGE_MS);
  }

  /** At once: the server sends no newer screen before this one is acknowledged. */
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
