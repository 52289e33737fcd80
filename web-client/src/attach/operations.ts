import { writeOperation, type Operation } from './wire';

/** Half of what the server knows again: after a connection that broke, what was under way is sent again, and must not be forgotten. */
const UNDER_WAY = 128;

/** What is done to a task, each once and in order, across however many connections. */
export class Operations {
  readonly #send: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly #pending = new Map<number, Operation>(); // done is what the server has said so of; in the order of their numbers
  #last = 0;
  #connected = false;
  #sent = 0; // on this connection, those up to this number

  constructor(send: (bytes: Uint8Array<ArrayBuffer>) => void) {
    this.#send = send;
  }

  /** How many are not answered yet. */
  get unanswered(): number {
    return this.#pending.size;
  }

  do(make: (op: number) => Operation): void {
    const operation = make(++this.#last);
    if (operation.type === 'resize') this.#forgetOlderSizes();
    this.#pending.set(operation.op, operation);
    this.#sendOn();
  }

  connected(): void {
    this.#connected = true;
    this.#sent = 0;
    this.#sendOn();
  }

  broken(): void {
    this.#connected = false;
  }

  /** It was done, or refused: either way it is not sent again. */
  answered(op: number): void {
    this.#pending.delete(op);
    this.#sendOn();
  }

  /** Only the newest size matters: those that were never sent are left out. */
  #forgetOlderSizes(): void {
    for (const [op, waiting] of this.#pending)
      if (waiting.type === 'resize' && (!this.#connected || op > this.#sent)) this.#pending.delete(op);
  }

  #sendOn(): void {
    if (!this.#connected) return;
    let underWay = 0;
    for (const [op, operation] of this.#pending) {
      if (++underWay > UNDER_WAY) return;
      if (op <= this.#sent) continue;
      this.#sent = op;
      this.#send(writeOperation(operation));
    }
  }
}
