import type { Frame } from '../frames/frames';
import { readFrame } from '../frames/parse';
import { Refusal } from '../server/api';
import { mailboxOf, sessionEvents, sessionOf, type MailboxItem, type Session } from '../server/sessions';

const AGAIN_MS = 1_000;
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
  #session: Session | undefined;
  #items: readonly MailboxItem[] = [];
  #next = 0; // where the next page of items begins
  #complete = false; // the items reach to the newest frame
  #isLive = false;

  /** @param failed is told each failure; one that passes is retried */
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

  get isLive(): boolean {
    return this.#isLive;
  }

  /** Reads the session, then follows it until {@link close}. */
  async run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#follow(signal);
      } catch (refused) {
        if (signal.aborted) return;
        if (!(refused instanceof Refusal)) throw refused;
        this.#isLive = false;
        this.#failed(refused);
        if (!refused.passes) return;
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
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
  }

  async #follow(signal: AbortSignal): Promise<void> {
    // The session first: items of later frames come again with the events, and are known by their seq.
    const session = await this.#requests.session();
    const page = await this.#requests.mailbox(null);
    if (signal.aborted) return;
    this.#session = session;
    this.#items = page.items;
    this.#next = page.next_seq;
    this.#complete = page.next_seq >= session.next_seq;
    this.#isLive = true;
    this.#changed();
    for await (const json of this.#requests.events(session.next_seq, signal, () => undefined)) {
      if (signal.aborted) return;
      this.#take(readFrame(json));
      this.#changed();
    }
  }

  #take(frame: Frame): void {
    if (!frame.known || this.#session === undefined) return;
    const body = frame.frame;
    const isItem = body.type === 'tool_ended' || body.type === 'session_watcher_hit';
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
