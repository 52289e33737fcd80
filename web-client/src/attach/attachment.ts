import { Failure, type Channel, type Frame } from '../frames/frames';
import { readFrame } from '../frames/parse';
import {
  read,
  writeOperation,
  writeParsed,
  writeSeen,
  SUBPROTOCOL,
  type News,
  type Operation,
  type ScreenPart,
  type Viewer,
} from './wire';

/** How it stands with the connection, for people. */
export type Standing =
  | { is: 'connecting'; attempt: number }
  | { is: 'history' }
  | { is: 'live' }
  | { is: 'waiting'; attempt: number; ms: number }
  | { is: 'ended' };

/** A task's stream, as it is shown: each frame and each byte once and in order, across however many connections. */
export interface Audience {
  /** What was shown before does not count any more: the terminal is as this makes it. `begins` with the first of several parts. */
  screen(part: ScreenPart, begins: boolean): void;
  output(channel: Channel, bytes: Uint8Array, parsed: () => void): void;
  frame(frame: Frame): void;
  /** Output before this offset is not shown, since the stream was joined later. */
  joinedAt(channel: Channel, offset: number): void;
  standing(standing: Standing): void;
  viewers(viewers: readonly Viewer[], self: string): void;
  refused(message: string): void;
}

/** As much of a WebSocket as is needed. */
export interface Socket {
  binaryType: string;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(bytes: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

/** What the world gives it, so that a test can be the world. */
export interface Surroundings {
  open(url: string, subprotocol: string): Socket;
  later(act: () => void, ms: number): () => void;
  chance(): number;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
const ACKNOWLEDGE_BYTES = 256 * 1024; // a quarter of what the server sends ahead
const ACKNOWLEDGE_MS = 100;
const PIECE_BYTES = 64 * 1024; // the most that one frame of output stands for
const INPUT_BYTES = 8 * 1024; // the most that one input may have

export type Join = { from_seq: number } | { tail_bytes: number } | { screen: number };

/** Attached to a task until it has ended or {@link close} is called, coming back by itself whenever the connection breaks. */
export class Attachment {
  readonly #path: string;
  readonly #join: Join;
  readonly #audience: Audience;
  readonly #world: Surroundings;
  readonly #client: string;
  readonly #pending = new Map<number, Operation>(); // done is what the server has said so of; the rest is sent again
  readonly #shown = new Map<Channel, number>(); // how far each channel's output has been shown
  #socket: Socket | undefined;
  #viewer = '';
  #inScreen = false; // a part of one has come, and another is to follow
  #fromScreen = false;
  #missing = false; // output was left out, and the screen that stands for it has not come yet
  #seen = true;
  #nextSeq: number | undefined;
  #lastOp = 0;
  #attempt = 0;
  #behindUntil: number | undefined;
  #unacknowledged = 0;
  #parsedSeq = 0;
  #parsing = 0; // pieces of output that are not parsed yet
  #cancelAcknowledge: (() => void) | undefined;
  #cancelWait: (() => void) | undefined;
  #over = false;

  constructor(taskId: string, join: Join, client: string, audience: Audience, world: Surroundings) {
    this.#path = `/tasks/${encodeURIComponent(taskId)}/attach`;
    this.#join = join;
    this.#client = client;
    this.#audience = audience;
    this.#world = world;
    this.#connect();
  }

  /** Types; what is long goes in pieces, in order. */
  input(bytes: Uint8Array<ArrayBuffer>): void {
    for (let at = 0; at < bytes.length; at += INPUT_BYTES) {
      this.#do({ type: 'stdin', op: ++this.#lastOp, bytes: bytes.slice(at, at + INPUT_BYTES) });
    }
  }

  /** Only the newest size matters: those that were never sent are left out. */
  resize(rows: number, cols: number): void {
    if (this.#socket === undefined) {
      for (const [op, waiting] of this.#pending) if (waiting.type === 'resize') this.#pending.delete(op);
    }
    this.#do({ type: 'resize', op: ++this.#lastOp, rows, cols });
  }

  signal(signal: string): void {
    this.#do({ type: 'signal', op: ++this.#lastOp, signal });
  }

  cancel(reason: string): void {
    this.#do({ type: 'cancel', op: ++this.#lastOp, reason });
  }

  /** Who is not seen is sent no output of a terminal, but its screen when it is seen again. */
  seen(isSeen: boolean): void {
    if (isSeen === this.#seen) return;
    this.#seen = isSeen;
    this.#send(writeSeen(isSeen));
  }

  /** Does not wait for the next attempt, for example when the network is back. */
  reconnectNow(): void {
    if (this.#cancelWait === undefined) return;
    this.#cancelWait();
    this.#connect();
  }

  close(): void {
    this.#over = true;
    this.#cancelWait?.();
    this.#cancelAcknowledge?.();
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #do(operation: Operation): void {
    if (this.#over) return;
    this.#pending.set(operation.op, operation);
    this.#send(writeOperation(operation));
  }

  #send(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#viewer !== '') this.#socket?.send(bytes); // before it is ready, all that waits is sent when it is
  }

  #connect(): void {
    this.#cancelWait = undefined;
    this.#audience.standing({ is: 'connecting', attempt: this.#attempt });
    const query = new URLSearchParams({ client: this.#client });
    if (this.#missing) this.#nextSeq = undefined;
    if ('screen' in this.#join) query.set('behind', 'screen');
    if (this.#nextSeq !== undefined) query.set('from_seq', String(this.#nextSeq));
    else for (const [name, value] of Object.entries(this.#join)) query.set(name, String(value));
    const socket = this.#world.open(`${this.#path}?${query.toString()}`, SUBPROTOCOL);
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket && data instanceof ArrayBuffer) this.#read(socket, new Uint8Array(data));
    };
    socket.onclose = ({ code }) => {
      if (socket === this.#socket) this.#closed(code);
    };
    this.#socket = socket;
    this.#viewer = '';
  }

  #closed(code: number): void {
    this.#cancelAcknowledge?.();
    this.#cancelAcknowledge = undefined;
    this.#socket = undefined;
    this.#viewer = '';
    if (this.#over) return;
    if (code === 1000) {
      this.#over = true;
      this.#audience.standing({ is: 'ended' });
      return;
    }
    // Twice as long each time, and not all at once when a server comes back.
    const ms = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#attempt) * (0.75 + this.#world.chance() / 2);
    this.#attempt++;
    this.#audience.standing({ is: 'waiting', attempt: this.#attempt, ms });
    this.#cancelWait = this.#world.later(() => this.#connect(), ms);
  }

  #read(socket: Socket, message: Uint8Array): void {
    try {
      for (const entry of read(message)) {
        switch (entry.kind) {
          case 'output':
            this.#output(socket, entry.channel, entry.offset, entry.bytes, entry.nextSeq);
            break;
          case 'frame': {
            const frame = readFrame(entry.json);
            if (this.#nextSeq !== undefined && frame.frame.seq > this.#nextSeq) this.#missing = true;
            this.#audience.frame(frame);
            this.#reach(frame.frame.seq + 1);
            if (this.#parsing === 0) this.#parsed(socket, 0, frame.frame.seq + 1); // else with the output before it
            break;
          }
          case 'news':
            this.#hear(entry.news);
            break;
          case 'screen':
            this.#screen(entry);
        }
      }
    } catch (broken) {
      if (!(broken instanceof Failure)) throw broken;
      this.#audience.refused(broken.message);
      socket.close(); // what follows cannot be trusted; coming back begins at the last whole frame
    }
  }

  /** Until all of it has come there is no place to go on from, so who is cut off before begins with a screen again. */
  #screen(part: ScreenPart): void {
    this.#audience.screen(part, !this.#inScreen);
    this.#inScreen = part.left > 0;
    this.#shown.clear();
    this.#fromScreen = true;
    this.#missing = part.left > 0;
    if (part.left === 0) this.#reach(part.nextSeq);
  }

  /** After a reconnect, a piece that was cut comes again as a whole: what was shown of it is left out. */
  #output(socket: Socket, channel: Channel, offset: number, bytes: Uint8Array, nextSeq: number): void {
    const shown = this.#shown.get(channel);
    if (shown === undefined && !this.#fromScreen) this.#audience.joinedAt(channel, offset);
    const fresh = bytes.subarray(Math.min(bytes.length, Math.max(0, (shown ?? offset) - offset)));
    this.#shown.set(channel, Math.max(shown ?? 0, offset + bytes.length));
    this.#parsing++;
    this.#reach(nextSeq);
    this.#audience.output(channel, fresh, () => {
      this.#parsing--;
      this.#parsed(socket, bytes.length, this.#parsing === 0 ? (this.#nextSeq ?? nextSeq) : nextSeq);
    });
  }

  /**
   * The server counts what the program wrote, of which what is beyond its cap never comes; so each piece counts for as much as one
   * may stand for, and what is left is acknowledged a moment later.
   */
  #parsed(socket: Socket, bytes: number, nextSeq: number): void {
    if (socket !== this.#socket) return;
    this.#parsedSeq = nextSeq;
    this.#unacknowledged += Math.max(bytes, PIECE_BYTES);
    if (this.#unacknowledged >= ACKNOWLEDGE_BYTES) this.#acknowledge();
    else this.#cancelAcknowledge ??= this.#world.later(() => this.#acknowledge(), ACKNOWLEDGE_MS);
  }

  #acknowledge(): void {
    this.#cancelAcknowledge?.();
    this.#cancelAcknowledge = undefined;
    this.#unacknowledged = 0;
    this.#send(writeParsed(this.#parsedSeq));
  }

  #reach(nextSeq: number): void {
    this.#nextSeq = Math.max(this.#nextSeq ?? 0, nextSeq);
    if (this.#behindUntil === undefined || this.#nextSeq < this.#behindUntil) return;
    this.#behindUntil = undefined;
    this.#audience.standing({ is: 'live' });
  }

  #hear(news: News): void {
    switch (news.type) {
      case 'attach_ready':
        this.#viewer = news.viewer;
        this.#inScreen = this.#missing = false;
        this.#attempt = 0;
        this.#behindUntil = undefined;
        this.#parsedSeq = this.#nextSeq ?? news.from_seq;
        this.#acknowledge();
        if (!this.#seen) this.#send(writeSeen(false));
        for (const operation of this.#pending.values()) this.#send(writeOperation(operation));
        this.#audience.standing({ is: 'history' });
        break;
      case 'attach_caught_up':
        this.#audience.standing({ is: 'live' });
        break;
      case 'attach_viewers':
        this.#audience.viewers(news.viewers, this.#viewer);
        break;
      case 'attach_done':
        this.#pending.delete(news.op);
        break;
      case 'attach_refused':
        if (typeof news.op === 'number') this.#pending.delete(news.op);
        this.#audience.refused(news.error.message);
        break;
      case 'attach_fell_behind':
        this.#behindUntil = news.to;
        this.#audience.standing({ is: 'history' });
    }
  }
}

/** The browser as the world. */
export const BROWSER: Surroundings = {
  open: (path, subprotocol) => {
    const url = new URL(path, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return new WebSocket(url, subprotocol) as unknown as Socket;
  },
  later: (act, ms) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  chance: Math.random,
};
