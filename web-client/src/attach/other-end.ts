/** The server's end of an attachment, and its audience, played by a test. */

import type { Channel, Frame } from '../frames/frames';
import type { Audience, Company, Standing } from './audience';
import type { Socket, Surroundings } from './surroundings';
import type { ScreenPart } from './wire';

export const utf8 = new TextEncoder();

function varint(value: number): number[] {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

export function entry(kind: number, content: readonly number[]): number[] {
  return [kind, ...varint(content.length), ...content];
}

export const news = (object: object): number[] => entry(3, [...utf8.encode(JSON.stringify(object))]);
export const output = (nextSeq: number, offset: number, text: string): number[] =>
  entry(1, [...varint(nextSeq), 2, ...varint(offset), ...utf8.encode(text)]);
export const screen = (nextSeq: number, left: number, text: string): number[] =>
  entry(4, [...varint(nextSeq), 24, 80, ...varint(left), ...utf8.encode(text)]);
export const ready = (from: number): number[] =>
  news({ type: 'attach_ready', task_id: 't', viewer: 'v1', rights: 'control', from_seq: from, next_seq: from });

/** A number of the wire format, and the place behind it. */
function number(bytes: Uint8Array, from: number): [number, number] {
  let [value, at] = [0, from];
  for (let scale = 1; ; scale *= 128) {
    const next = bytes[at++]!;
    value += (next & 127) * scale;
    if (next < 128) return [value, at];
  }
}

/** A socket whose other end is the test. */
class Line implements Socket {
  binaryType = '';
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly sent: string[] = [];
  isClosed = false;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  send(bytes: Uint8Array): void {
    const kind = bytes[0];
    const [, begin] = number(bytes, 1);
    const content = [...bytes.subarray(begin)];
    const [op, typed] = number(bytes, begin);
    this.sent.push(
      kind === 2
        ? new TextDecoder().decode(Uint8Array.from(content))
        : kind === 3
          ? `parsed ${op}`
          : `input ${op} ${new TextDecoder().decode(bytes.subarray(typed))}`,
    );
  }

  close(): void {
    this.isClosed = true;
    this.onclose?.({ code: 1005 });
  }

  hears(...entries: number[][]): void {
    this.onmessage?.({ data: Uint8Array.from(entries.flat()).buffer });
  }
}

export class World implements Surroundings {
  readonly lines: Line[] = [];
  waiting: { act: () => void; ms: number } | undefined;

  open(url: string): Line {
    const line = new Line(url);
    this.lines.push(line);
    return line;
  }

  later(act: () => void, ms: number): () => void {
    const waiting = { act, ms };
    this.waiting = waiting;
    return () => {
      if (this.waiting === waiting) this.waiting = undefined;
    };
  }

  chance(): number {
    return 0.5;
  }

  get line(): Line {
    return this.lines.at(-1)!;
  }

  timePasses(): void {
    const { act } = this.waiting!;
    this.waiting = undefined;
    act();
  }
}

export class Watching implements Audience {
  shown = '';
  parsed: (() => void)[] = [];
  frames: number[] = [];
  standings: string[] = [];
  said: string[] = [];
  joins: number[] = [];
  leaps = false;

  screen({ rows, cols, bytes }: ScreenPart, begins: boolean, parsed: () => void): void {
    this.shown = `${begins ? `${cols}×${rows} ` : this.shown}${new TextDecoder().decode(bytes)}`;
    this.parsed.push(parsed);
  }

  output(_channel: Channel, bytes: Uint8Array, parsed: () => void): void {
    this.shown += new TextDecoder().decode(bytes);
    this.parsed.push(parsed);
  }

  frame({ frame }: Frame): void {
    this.frames.push(frame.seq);
  }

  joinedAt(_channel: Channel, offset: number): void {
    this.joins.push(offset);
  }

  standing(standing: Standing): void {
    this.standings.push(standing.is);
  }

  company({ viewers, policy, leader, self }: Company): void {
    this.said.push(`${viewers.length} viewers, ${policy}, led by ${leader ?? 'nobody'}, ${self}`);
  }

  fellBehind(): boolean {
    return this.leaps;
  }

  refused(message: string): void {
    this.said.push(message);
  }
}
