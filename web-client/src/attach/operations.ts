import type { Surroundings } from './surroundings';
import { writeOperation, type Operation } from './wire';

/** Half of the number of operations that the server remembers: after a broken connection, unanswered operations are sent again. */
const UNDER_WAY = 128;
/** Maximum number of bytes of one input. */
const INPUT_BYTES = 8 * 1024;
const AGAIN_MS = 100;

export interface Typed {
  readonly sent: Uint8Array<ArrayBuffer>;
  readonly unsent: Uint8Array<ArrayBuffer>;
}

/** Operations on a task, each carried out once and in order, across any number of connections. */
export class Operations {
  readonly #send: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly #world: Surroundings;
  readonly #pending = new Map<number, Operation>(); // in the order of their numbers; removed when the server has confirmed them
  readonly #pieces = new Set<number>(); // the parts of a long input, including the short last one
  #last = 0;
  #connected = false;
  #sent = 0; // the last number sent on this connection
  #everSent = 0; // the last number sent on any connection: operations up to here may have been carried out
  #cancelAgain: (() => void) | undefined;

  constructor(send: (bytes: Uint8Array<ArrayBuffer>) => void, world: Surroundings) {
    this.#send = send;
    this.#world = world;
  }

  /** The number of operations without a reply. */
  get unanswered(): number {
    return this.#pending.size;
  }

  /** Typed input without a reply: sent, so that it may have arrived, or not sent on any connection. */
  get typed(): Typed {
    const inputs = [...this.#pending.values()].filter((operation) => operation.type === 'stdin');
    return {
      sent: joined(inputs.filter(({ op }) => op <= this.#everSent)),
      unsent: joined(inputs.filter(({ op }) => op > this.#everSent)),
    };
  }

  /** Drops typed input that was never sent. */
  discardUnsent(): void {
    for (const [op, { type }] of this.#pending) if (type === 'stdin' && op > this.#everSent) this.#forget(op);
  }

  do(make: (op: number) => Operation): void {
    const operation = make(++this.#last);
    if (operation.type === 'resize') this.#forgetOlderSizes();
    this.#pending.set(operation.op, operation);
    this.#sendOn();
  }

  /** Types; long input is sent in parts. */
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
   * The server refused an operation; returns whether that is final. A part of a long input is retried if that may help, such as when the
   * program's input queue was full; otherwise the parts after it are dropped too, since the input would have a hole.
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

  /** Only the newest size matters: older ones that were never sent are dropped. */
  #forgetOlderSizes(): void {
    for (const [op, waiting] of this.#pending)
      if (waiting.type === 'resize' && (!this.#connected || op > this.#sent)) this.#pending.delete(op);
  }

  /** Sends nothing after a part of a long input until that part is answered, so that no later part can follow a refused one. */
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
