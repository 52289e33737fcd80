/** The binary wire format `penstock.v1.binary`: the mirror of `BinaryWire` in the server, specified in docs/protocol.md. */

import { CHANNELS, Failure, type Channel, type Json } from '../frames/frames';

export const SUBPROTOCOL = 'penstock.v1.binary';

const OUTPUT = 1;
const FRAME = 2;
const NEWS = 3;
const SCREEN = 4;

const INPUT = 1;
const ASK = 2;
const PARSED = 3;

/** Which of several viewers determines the terminal's size. */
export type SizePolicy = 'latest' | 'smallest' | 'leader' | 'fixed';

/** A viewer with `view` cannot do anything to the task. */
export type Rights = 'control' | 'view';

export interface Viewer {
  readonly viewer: string;
  readonly rights: Rights;
  readonly rows: number | null;
  readonly cols: number | null;
}

/** Messages besides the frames, not part of the record. */
export type News =
  | {
      type: 'attach_ready';
      task_id: string;
      viewer: string;
      rights: Rights;
      from_seq: number;
      next_seq: number;
    }
  | { type: 'attach_caught_up'; next_seq: number }
  | { type: 'attach_viewers'; viewers: Viewer[]; size_policy: SizePolicy; leader: string | null }
  | { type: 'attach_done'; op: number; seq: number | null }
  | { type: 'attach_refused'; op?: number | null; error: { code: string; message: string; retryable: boolean } }
  | { type: 'attach_fell_behind'; from: number; to: number; follows: 'frames' | 'screen' };

export type Entry =
  | { kind: 'output'; nextSeq: number; channel: Channel; offset: number; bytes: Uint8Array }
  | { kind: 'frame'; json: Json }
  | { kind: 'news'; news: News }
  | ({ kind: 'screen' } & ScreenPart);

/** The terminal's screen right before the frame `nextSeq`, as the bytes that produce it; `left` of them follow in the next parts. */
export interface ScreenPart {
  readonly nextSeq: number;
  readonly rows: number;
  readonly cols: number;
  readonly left: number;
  readonly bytes: Uint8Array;
}

/** An operation of a viewer on the task, carried out once for each number. */
export type Operation =
  | { type: 'stdin'; op: number; bytes: Uint8Array<ArrayBuffer> }
  | { type: 'resize'; op: number; rows: number; cols: number }
  | { type: 'size_policy'; op: number; policy: SizePolicy }
  | { type: 'signal'; op: number; signal: string }
  | { type: 'cancel'; op: number; reason: string };

/** The entries of a message, in their order; throws a {@link Failure} if it is malformed. */
export function read(message: Uint8Array): Entry[] {
  const entries: Entry[] = [];
  const reader = new Reader(message);
  while (reader.hasMore()) {
    const kind = reader.byte();
    const inside = new Reader(reader.bytes(reader.number()));
    switch (kind) {
      case OUTPUT: {
        const nextSeq = inside.number();
        const code = inside.byte();
        const channel = CHANNELS[code];
        if (channel === undefined) throw malformed(`there is no channel ${code}`);
        entries.push({ kind: 'output', nextSeq, channel, offset: inside.number(), bytes: inside.rest() });
        break;
      }
      case FRAME:
        entries.push({ kind: 'frame', json: JSON.parse(text(inside.rest())) as Json });
        break;
      case NEWS:
        entries.push({ kind: 'news', news: JSON.parse(text(inside.rest())) as News });
        break;
      case SCREEN: {
        const [nextSeq, rows, cols, left] = [inside.number(), inside.number(), inside.number(), inside.number()];
        entries.push({ kind: 'screen', nextSeq, rows, cols, left, bytes: inside.rest() });
        break;
      }
      default:
        break; // of a newer server: unknown entries are skipped
    }
  }
  return entries;
}

export function writeOperation(operation: Operation): Uint8Array<ArrayBuffer> {
  if (operation.type !== 'stdin') return entry(ASK, [new TextEncoder().encode(JSON.stringify(operation))]);
  return entry(INPUT, [number(operation.op), operation.bytes]);
}

/** Tells the server whether the page is visible; a hidden page needs no output. */
export function writeSeen(seen: boolean): Uint8Array<ArrayBuffer> {
  return entry(ASK, [new TextEncoder().encode(JSON.stringify({ type: seen ? 'shown' : 'hidden' }))]);
}

export function writeParsed(nextSeq: number): Uint8Array<ArrayBuffer> {
  return entry(PARSED, [number(nextSeq)]);
}

function entry(kind: number, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const header = number(length);
  const made = new Uint8Array(1 + header.length + length);
  made[0] = kind;
  made.set(header, 1);
  let at = 1 + header.length;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}

/** Seven bits a byte, the lowest first; the highest bit says that another byte follows. */
function number(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

const UTF8 = new TextDecoder();

function text(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}

function malformed(why: string): Failure {
  return new Failure('MALFORMED_FRAME', `The server's message cannot be read: ${why}`);
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  hasMore(): boolean {
    return this.#at < this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) throw malformed('it ends too early');
    return value;
  }

  /** Multiplies, since shifting would lose bits beyond 32. */
  number(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const next = this.byte();
      value += (next & 0x7f) * scale;
      if (value > Number.MAX_SAFE_INTEGER) throw malformed('a number is too large');
      if (next < 0x80) return value;
      scale *= 0x80;
    }
  }

  bytes(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) throw malformed('it ends too early');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  rest(): Uint8Array {
    return this.bytes(this.#bytes.length - this.#at);
  }
}
