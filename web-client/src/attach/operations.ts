import type { Surroundings } from './surroundings';
import { writeOperation, type Operation } from './wire';

/** Half of what the server knows again: after a connection that broke, what was under way is sent again, and must not be forgotten. */
const UNDER_WAY = 128;
/** The most that one input may have. */
const INPUT_BYTES = 8 * 1024;
const AGAIN_MS = 100;

export interface Typed {
  readonly sent: Uint8Array<ArrayBuffer>;
  readonly unsent: Uint8Array<ArrayBuffer>;
}

/** What is done to a task, each once and in order, across however many connections. */
export class Operations {
  readonly #send: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly #world: Surroundings;
  readonly #pending = new Map<number, Operation>(); // done is what the server has said so of; in the order of their numbers
  readonly #pieces = new Set<number>(); // those that are a part of a long input, the short last one too
  #last = 0;
  #connected = false;
  #sent = 0; // on this connection, those up to this number
  #everSent = 0; // on any connection: these may have been done
  #cancelAgain: (() => void) | undefined;

  constructor(send: (bytes: Uint8Array<ArrayBuffer>) => void, world: Surroundings) {
    this.#send = send;
    this.#world = world;
  }

  /** How many are not answered yet. */
  get unanswered(): number {
    return this.#pending.size;
  }

  /** What was typed and is not answered yet: what may have arrived, and what has not been sent on any connection. */
  get typed(): Typed {
    const inputs = [...this.#pending.values()].filter((operation) => operation.type === 'stdin');
    return {
      sent: joined(inputs.filter(({ op }) => op <= this.#everSent)),
      unsent: joined(inputs.filter(({ op }) => op > this.#everSent)),
    };
  }

  /** Forgets what was typed and never sent. */
  discardUnsent(): void {
    for (const [op, { type }] of this.#pending) if (type === 'stdin' && op > this.#everSent) this.#forget(op);
  }

  do(make: (op: number) => Operation): void {
    const operation = make(++this.#last);
    if (operation.type === 'resize') this.#forgetOlderSizes();
    this.#pending.set(operation.op, operation);
    this.#sendOn();
  }

  /** Types; what is long goes in pieces. */
  type(bytes: Uint8Array<ArrayBuffer>): void {
    for (let at = 0; at < bytes.length; at += INPUT_BYTES) {
      if (bytes.length >= INPUT_BYTES) this.#pieces.add(this.#last + 1);
      this.do((op) => ({ type: 'stdin', op, bytes: bytes.slice(at, at + INPUT_BYTES) }));
    }
  }

  connected(): void {
    this.#connected = true;
    this.#sent = 0;
    this.#sendOn();
  }

  broken(): void {
    this.#connected = false;
    this.#cancelAgain?.();
  }

  done(op: number): void {
    this.#forget(op);
    this.#sendOn();
  }

  /**
   * It was not done; whether that is the end of it. A piece of a long input is tried again when that may help, as when others have the
   * program's input full, and else all that would follow it is given up too: with a hole in it, it would be something else.
   */
  refused(op: number, isRetryable: boolean): boolean {
    if (this.#pieces.has(op)) {
      if (isRetryable) {
        this.#cancelAgain = this.#world.later(() => {
          this.#sent = op - 1;
          this.#sendOn();
        }, AGAIN_MS);
        return false;
      }
      for (const [later, { type }] of this.#pending) if (later > op && type === 'stdin') this.#forget(later);
    }
    this.done(op);
    return true;
  }

  #forget(op: number): void {
    this.#pending.delete(op);
    this.#pieces.delete(op);
  }

  /** Only the newest size matters: those that were never sent are left out. */
  #forgetOlderSizes(): void {
    for (const [op, waiting] of this.#pending)
      if (waiting.type === 'resize' && (!this.#connected || op > this.#sent)) this.#pending.delete(op);
  }

  /** Nothing goes before a piece of a long input is answered, so that there is never one behind another that was refused. */
  #sendOn(): void {
    if (!this.#connected) return;
    let underWay = 0;
    for (const [op, operation] of this.#pending) {
      if (++underWay > UNDER_WAY) return;
      if (op > this.#sent) {
        this.#sent = op;
        this.#everSent = Math.max(this.#everSent, op);
        this.#send(writeOperation(operation));
      }
      if (this.#pieces.has(op)) return;
    }
  }
}

function joined(inputs: readonly { readonly bytes: Uint8Array }[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(inputs.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (const { bytes } of inputs) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return all;
}
