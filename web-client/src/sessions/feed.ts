import type { Frame } from '../frames/frames';
import { readFrame } from '../frames/parse';
import { Refusal } from '../server/api';
import { mailboxOf, sessionEvents, sessionOf, type MailboxItem, type Session } from '../server/sessions';

const AGAIN_MS = 1_000;
const MOST_MISSED = 2_000; // frames that are read after an interruption; with more, the session is read again
const MOST_ITEMS = 1_000; // that are added as they come; later ones are loaded on request

/** A session's requests, so that a test can answer them. */
export interface SessionRequests {
  session(): Promise<Session>;
  mailbox(fromSeq: number | null): ReturnType<typeof mailboxOf>;
  events(fromSeq: number, signal: AbortSignal, answered: () => void): ReturnType<typeof sessionEvents>;
}

export function requestsOf(id: string): SessionRequests {
  return {
    session: () => sessionOf(id),
    mailbox: (fromSeq) => mailboxOf(id, fromSeq),
    events: (fromSeq, signal, answered) => sessionEvents(id, fromSeq, signal, answered),
  };
}

/** A session and its mailbox, kept up to date by the session's frames: one connection for both. */
export class SessionFeed {
  readonly #requests: SessionRequests;
  readonly #changed: () => void;
  readonly #failed: (refusal: Refusal) => void;
  readonly #stop = new AbortController();
  #connection = new AbortController();
  #resume: (() => void) | undefined; // while paused
  #paused: Promise<void> | undefined;
  #session: Session | undefined;
  #items: readonly MailboxItem[] = [];
  #next = 0; // where the next page of items begins
  #complete = false; // the items reach to the newest frame

  /** @param failed receives each failure; a temporary one is retried */
  constructor(requests: SessionRequests, changed: () => void, failed: (refusal: Refusal) => void) {
    this.#requests = requests;
    this.#changed = changed;
    this.#failed = failed;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  /** The items that are not acknowledged, oldest first, as far as they are loaded. */
  get items(): readonly MailboxItem[] {
    return this.#items;
  }

  get hasMore(): boolean {
    return !this.#complete;
  }

  /** Reads the session, then follows it until {@link close}. */
  async run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#paused;
      this.#connection = new AbortController();
      const { signal } = this.#connection;
      try {
        await this.#follow(AbortSignal.any([this.#stop.signal, signal]));
      } catch (refused) {
        if (this.#stop.signal.aborted) return;
        if (signal.aborted) continue; // paused
        if (!(refused instanceof Refusal)) throw refused;
        this.#failed(refused);
        if (!refused.passes) return;
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  /** A hidden page holds no connection: a browser has only six for a server. */
  pause(pauses: boolean): void {
    if (pauses === (this.#paused !== undefined)) return;
    if (pauses) {
      this.#paused = new Promise((resolve) => (this.#resume = resolve));
      this.#connection.abort();
    } else {
      this.#paused = undefined;
      this.#resume?.();
    }
  }

  /** Loads the next page of items. */
  async more(): Promise<void> {
    const page = await this.#requests.mailbox(this.#next);
    this.#add(page.items);
    this.#next = page.next_seq;
    this.#complete = page.next_seq >= (this.#session?.next_seq ?? 0);
    this.#changed();
  }

  close(): void {
    this.#stop.abort();
    this.#resume?.();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const session = await this.#requests.session();
    const missed = session.next_seq - (this.#session?.next_seq ?? -Infinity);
    if (missed < 0 || missed > MOST_MISSED) await this.#load(session);
    if (signal.aborted) return;
    const fromSeq = this.#session?.next_seq ?? 0;
    for await (const json of this.#requests.events(fromSeq, signal, () => this.#changed())) {
      if (signal.aborted) return;
      this.#take(readFrame(json));
      this.#changed();
    }
  }

  /** Reads the mailbox after the session: events may bring some items again, which are known by their seq. */
  async #load(session: Session): Promise<void> {
    const page = await this.#requests.mailbox(null);
    this.#session = session;
    this.#items = page.items;
    this.#next = page.next_seq;
    this.#complete = page.next_seq >= session.next_seq;
    this.#changed();
  }

  #take(frame: Frame): void {
    if (!frame.known || this.#session === undefined) return;
    const body = frame.frame;
    const isItem =
      body.type === 'tool_ended' ||
      body.type === 'session_watcher_hit' ||
      (body.type === 'session_task_ended' && body.notify);
    if (isItem && this.#complete) {
      this.#complete = this.#items.length < MOST_ITEMS;
      if (this.#complete) this.#add([body]);
      else this.#next = body.seq;
    }
    if (body.type === 'session_acknowledged') this.#items = this.#items.filter(({ seq }) => seq > body.through_seq);
    this.#session = after(this.#session, frame);
  }

  #add(items: readonly MailboxItem[]): void {
    const last = this.#items.at(-1)?.seq ?? -1;
    this.#items = [...this.#items, ...items.filter(({ seq }) => seq > last)];
  }
}

/** The session after one of its frames, which has the session's counters. */
function after(session: Session, { frame }: Frame): Session {
  const next_seq = Math.max(session.next_seq, frame.seq + 1);
  if (!('mailbox_items' in frame) || !('mailbox_acknowledged' in frame)) return { ...session, next_seq };
  const { tasks_started, tasks_ended, mailbox_items, mailbox_acknowledged, mailbox_from_seq } = frame as unknown as {
    tasks_started: number;
    tasks_ended: number;
    mailbox_items: number;
    mailbox_acknowledged: number;
    mailbox_from_seq: number;
  };
  const mailbox_waiting = mailbox_items - mailbox_acknowledged;
  const status = frame.type === 'session_ended' ? 'ended' : frame.type === 'session_started' ? 'open' : session.status;
  return { ...session, status, next_seq, tasks_started, tasks_ended, mailbox_items, mailbox_waiting, mailbox_from_seq };
}
