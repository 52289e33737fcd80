import { Failure, type Channel } from '../frames/frames';
import { readFrame } from '../frames/parse';
import { Acknowledged } from './acknowledged';
import type { Audience } from './audience';
import { Operations, type Typed } from './operations';
import { Shown } from './shown';
import type { Socket, Surroundings } from './surroundings';
import { read, writeSeen, SUBPROTOCOL, type News, type Rights, type ScreenPart, type SizePolicy } from './wire';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
const SILENT_CHECKS = 5; // about as many seconds
const MOST_SILENT_CHECKS = 320;

export type Join = { from_seq: number } | { tail_bytes: number } | { screen: number };

/** A viewer's connection to a task, until the task has ended or {@link close} is called; it reconnects by itself. */
export class Attachment {
  readonly #path: string;
  #join: Join;
  readonly #audience: Audience;
  readonly #world: Surroundings;
  readonly #client: string;
  readonly #operations: Operations;
  readonly #acknowledged: Acknowledged;
  readonly #shown = new Shown();
  #socket: Socket | undefined;
  #former: Socket | undefined; // to be replaced by a new connection
  #viewer = '';
  #inScreen = false; // a part of a screen has arrived, and another follows
  #fromScreen = false;
  #missing = false; // output was skipped, and the screen in its place has not arrived yet
  #leaps = false; // skips to newer output, which does not change the state of the connection
  #seen = true;
  #rights: Rights;
  #nextSeq: number | undefined;
  #attempt = 0;
  #silent = 0; // consecutive checks without an expected message
  #patience = SILENT_CHECKS;
  #behindUntil: number | undefined;
  #parsing = 0; // pieces of output that are not parsed yet
  #cancelWait: (() => void) | undefined;
  #over = false;

  constructor(
    taskId: string,
    join: Join,
    client: string,
    audience: Audience,
    world: Surroundings,
    rights: Rights = 'control',
  ) {
    this.#path = `/tasks/${encodeURIComponent(taskId)}/attach`;
    this.#join = join;
    this.#client = client;
    this.#audience = audience;
    this.#world = world;
    this.#rights = rights;
    this.#operations = new Operations((bytes) => this.#send(bytes), world);
    this.#acknowledged = new Acknowledged((bytes) => this.#send(bytes), world);
    this.#connect();
  }

  /** Types input of any length. */
  input(bytes: Uint8Array<ArrayBuffer>): void {
    if (!this.#isMute) this.#operations.type(bytes);
  }

  resize(rows: number, cols: number): void {
    if (!this.#isMute) this.#operations.do((op) => ({ type: 'resize', op, rows, cols }));
  }

  /** Chooses whose size the terminal has. */
  chooseSize(policy: SizePolicy): void {
    if (!this.#isMute) this.#operations.do((op) => ({ type: 'size_policy', op, policy }));
  }

  get rights(): Rights {
    return this.#rights;
  }

  /** Reconnects with these rights and resumes. A read-only viewer cannot do anything, not even by accident. */
  allow(rights: Rights): void {
    if (rights === this.#rights || this.#over) return;
    this.#rights = rights;
    this.#again();
  }

  /** Typed input that has not been answered, for example while disconnected. */
  get typed(): Typed {
    return this.#operations.typed;
  }

  /** Drops typed input that was never sent; input that may have arrived is kept. */
  discardTyped(): void {
    this.#operations.discardUnsent();
  }

  /** Tells the server whether the page is visible: a hidden one is sent no terminal output, and the screen when it is visible again. */
  seen(isSeen: boolean): void {
    if (isSeen === this.#seen) return;
    this.#seen = isSeen;
    this.#send(writeSeen(isSeen));
  }

  /** The number of bytes that have not arrived, if each channel has this many. */
  behind(written: ReadonlyMap<Channel, number>): number {
    return this.#shown.behind(written);
  }

  /** Skips to the newest bytes of output, for a view that lags further behind than that. */
  leap(bytes: number): void {
    if (this.#over || this.#socket === undefined) return;
    this.#join = { tail_bytes: bytes };
    this.#nextSeq = undefined;
    this.#shown.forget();
    this.#leaps = true;
    this.#again();
  }

  /** Does not wait for the next attempt, for example when the network is back. */
  reconnectNow(): void {
    if (this.#cancelWait === undefined) return;
    this.#cancelWait();
    this.#connect();
  }

  /**
   * Another connection reports about once a second how many frames there are. If there are more than have arrived, or an operation has no
   * reply, and still no message arrives, the connection is dead although it was not closed: the laptop slept, or a network in between
   * has dropped it. If the silence had another reason, the checks become less and less frequent.
   */
  check(nextSeq: number): void {
    const isAwaited =
      this.#viewer === '' || nextSeq > (this.#nextSeq ?? 0) || this.#operations.unanswered > 0;
    if (this.#socket === undefined || !this.#seen || this.#parsing > 0 || !isAwaited) {
      this.#silent = 0;
    } else {
      this.#waited(1);
    }
  }

  /** Another request had no reply for this many seconds. If no message arrives here either, the connection is dead. */
  unanswered(seconds: number): void {
    if (this.#socket !== undefined && this.#parsing === 0) this.#waited(Math.max(1, seconds));
  }

  #waited(seconds: number): void {
    this.#silent += seconds;
    if (this.#silent <= this.#patience) return;
    this.#patience = Math.min(MOST_SILENT_CHECKS, this.#patience * 2);
    this.#again();
  }

  close(): void {
    this.#over = true;
    this.#cancelWait?.();
    this.#leaveFormer();
    this.#socket?.close();
    this.#broken();
  }

  /** Sends no operations: the task has ended, or this viewer may only view. */
  get #isMute(): boolean {
    return this.#over || this.#rights === 'view';
  }

  /** Opens a new connection and closes the old one when the new one is ready, so that other viewers see no one leave. */
  #again(): void {
    this.#cancelWait?.();
    this.#former?.close();
    this.#former = this.#socket;
    this.#broken();
    this.#connect();
  }

  #leaveFormer(): void {
    this.#former?.close();
    this.#former = undefined;
  }

  #broken(): void {
    this.#acknowledged.stop();
    this.#operations.broken();
    this.#socket = undefined;
    this.#viewer = '';
    this.#silent = 0;
  }

  #send(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#viewer !== '') this.#socket?.send(bytes); // before the connection is ready: all waiting operations are sent then
  }

  #connect(): void {
    this.#cancelWait = undefined;
    if (!this.#leaps) this.#audience.standing({ is: 'connecting', attempt: this.#attempt });
    const query = new URLSearchParams({ client: this.#client });
    if (this.#rights === 'view') query.set('rights', 'view');
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
      if (socket === this.#socket) this.#ended(code);
    };
    this.#socket = socket;
    this.#viewer = '';
  }

  #ended(code: number): void {
    this.#leaveFormer();
    this.#broken();
    this.#leaps = false;
    if (this.#over) return;
    if (code === 1000) {
      this.#over = true;
      this.#audience.standing({ is: 'ended' });
      return;
    }
    // Doubles each time, with jitter, so that clients do not all return to a restarted server at once.
    const ms = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#attempt) * (0.75 + this.#world.chance() / 2);
    this.#attempt++;
    this.#audience.standing({ is: 'waiting', attempt: this.#attempt, ms });
    this.#cancelWait = this.#world.later(() => this.#connect(), ms);
  }

  #read(socket: Socket, message: Uint8Array): void {
    this.#silent = 0;
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
            if (this.#parsing === 0) this.#acknowledged.parsed(0, frame.frame.seq + 1); // else with the output before it
            break;
          }
          case 'news':
            this.#hear(entry.news);
            break;
          case 'screen':
            this.#screen(socket, entry);
        }
      }
    } catch (broken) {
      if (!(broken instanceof Failure)) throw broken;
      this.#audience.refused(broken.message);
      socket.close(); // the rest of the message cannot be trusted; the next connection begins after the last whole frame
    }
  }

  /** An incomplete screen is no place to resume from: after a break, the next connection begins with a screen again. */
  #screen(socket: Socket, part: ScreenPart): void {
    this.#parsing++;
    this.#audience.screen(part, !this.#inScreen, () => {
      this.#parsing--;
      if (socket === this.#socket && part.left === 0) this.#acknowledged.screen(part.nextSeq);
    });
    this.#inScreen = part.left > 0;
    this.#shown.forget();
    this.#fromScreen = true;
    this.#missing = part.left > 0;
    if (part.left === 0) this.#reach(part.nextSeq);
  }

  #output(socket: Socket, channel: Channel, offset: number, bytes: Uint8Array, nextSeq: number): void {
    if (!this.#shown.has(channel) && !this.#fromScreen) this.#audience.joinedAt(channel, offset, nextSeq - 1);
    const fresh = this.#shown.fresh(channel, offset, bytes);
    this.#parsing++;
    this.#reach(nextSeq);
    this.#audience.output(channel, fresh, () => {
      this.#parsing--;
      if (socket !== this.#socket) return;
      this.#acknowledged.parsed(bytes.length, this.#parsing === 0 ? (this.#nextSeq ?? nextSeq) : nextSeq);
    });
  }

  #reach(nextSeq: number): void {
    this.#nextSeq = Math.max(this.#nextSeq ?? 0, nextSeq);
    this.#patience = SILENT_CHECKS;
    if (this.#behindUntil === undefined || this.#nextSeq < this.#behindUntil) return;
    this.#behindUntil = undefined;
    this.#audience.standing({ is: 'live' });
  }

  #hear(news: News): void {
    switch (news.type) {
      case 'attach_ready':
        this.#viewer = news.viewer;
        this.#leaveFormer();
        this.#inScreen = this.#missing = false;
        this.#attempt = 0;
        this.#behindUntil = undefined;
        this.#acknowledged.begin(this.#nextSeq ?? news.from_seq);
        if (!this.#seen) this.#send(writeSeen(false));
        if (this.#rights === 'control') this.#operations.connected();
        if (!this.#leaps) this.#audience.standing({ is: 'history' });
        break;
      case 'attach_caught_up':
        this.#leaps = false;
        this.#audience.standing({ is: 'live' });
        break;
      case 'attach_viewers':
        this.#audience.company({
          viewers: news.viewers,
          policy: news.size_policy,
          leader: news.leader,
          self: this.#viewer,
        });
        break;
      case 'attach_done':
        this.#operations.done(news.op);
        break;
      case 'attach_refused':
        if (typeof news.op !== 'number' || this.#operations.refused(news.op, news.error.retryable))
          this.#audience.refused(news.error.message);
        break;
      case 'attach_fell_behind':
        // In a flood the view skips many times a second, which does not mean that it lags behind.
        if (news.follows === 'screen' || this.#audience.fellBehind()) break;
        this.#behindUntil = news.to;
        this.#audience.standing({ is: 'history' });
    }
  }
}
