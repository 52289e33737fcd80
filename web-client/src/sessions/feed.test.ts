import { describe, expect, test, vi } from 'vitest';
import type { Json } from '../frames/frames';
import { Refusal } from '../server/api';
import type { MailboxItem, Session } from '../server/sessions';
import { SessionFeed, type SessionRequests } from './feed';

/** A session of a server that sends its frames when the test adds them. */
class Server implements SessionRequests {
  readonly frames: Json[] = [];
  readonly page: number;
  #wake: () => void = () => undefined;
  #started = 0;
  #items = 0;
  #acknowledged = 0;
  #from = 0;
  refusal: Refusal | undefined;
  readonly asked: string[] = [];

  constructor(page = 200) {
    this.page = page;
  }

  add(type: string, fields: { [name: string]: Json } = {}): void {
    const seq = this.frames.length;
    if (type === 'session_task_started') this.#started++;
    if (type === 'tool_ended') this.#items++;
    if (type === 'session_acknowledged') {
      this.#acknowledged = this.#items;
      this.#from = seq + 1;
    }
    this.frames.push({
      id: `s/${seq}`, stream_kind: 'session', stream_id: 's', session_id: 's', timestamp_ms: seq, seq, type, ...fields,
      tasks_started: this.#started, tasks_ended: this.#items, mailbox_items: this.#items,
      mailbox_acknowledged: this.#acknowledged, mailbox_from_seq: this.#from,
    });
    this.#wake();
  }

  ends(task: string): void {
    this.add('tool_ended', { task_id: task, outcome: 'succeeded', exit_code: 0, task_seq: 9 });
  }

  session(): Promise<Session> {
    if (this.refusal !== undefined) return Promise.reject(this.refusal);
    return Promise.resolve({
      session_id: 's', status: 'open', tasks_started: this.#started, tasks_ended: this.#items, mailbox_items: this.#items,
      mailbox_waiting: this.#items - this.#acknowledged, mailbox_from_seq: this.#from, next_seq: this.frames.length,
    });
  }

  mailbox(fromSeq: number | null): ReturnType<SessionRequests['mailbox']> {
    this.asked.push('mailbox');
    const items = (this.frames as unknown as MailboxItem[]).filter(
      ({ seq, type }) => seq >= (fromSeq ?? this.#from) && type === 'tool_ended',
    );
    const page = items.slice(0, this.page);
    const next_seq = page.length < items.length ? page.at(-1)!.seq + 1 : this.frames.length;
    return Promise.resolve({ items: page, next_seq, waiting: items.length });
  }

  async *events(fromSeq: number, signal: AbortSignal): AsyncGenerator<Json> {
    this.asked.push(`events from ${fromSeq}`);
    signal.addEventListener('abort', () => this.#wake());
    for (let seq = fromSeq; !signal.aborted; seq++) {
      while (seq >= this.frames.length && !signal.aborted) await new Promise<void>((resolve) => (this.#wake = resolve));
      if (signal.aborted) return;
      yield this.frames[seq]!;
    }
  }
}

const tasksIn = (feed: SessionFeed): string[] => feed.items.map((item) => item.task_id);

function follow(server: Server): { feed: SessionFeed; failed: Refusal[] } {
  const failed: Refusal[] = [];
  const feed = new SessionFeed(server, () => undefined, (refusal) => failed.push(refusal));
  void feed.run();
  return { feed, failed };
}

describe('a session that is followed', () => {
  test('has the items that wait, then those that come', async () => {
    const server = new Server();
    server.add('session_started', { actor: 'user:a' });
    server.ends('t1');
    const { feed } = follow(server);
    await vi.waitFor(() => expect(tasksIn(feed)).toEqual(['t1']));
    server.ends('t2');
    await vi.waitFor(() => expect(tasksIn(feed)).toEqual(['t1', 't2']));
    expect(feed.session?.mailbox_waiting).toBe(2);
    feed.close();
  });

  test('loses the items that any reader acknowledges', async () => {
    const server = new Server();
    server.ends('t1');
    server.ends('t2');
    const { feed } = follow(server);
    await vi.waitFor(() => expect(feed.items).toHaveLength(2));
    server.add('session_acknowledged', { through_seq: 0, actor: 'user:b' });
    await vi.waitFor(() => expect(tasksIn(feed)).toEqual(['t2']));
    feed.close();
  });

  test('of many items has the first page until more are wanted', async () => {
    const server = new Server(2);
    for (const task of ['t1', 't2', 't3']) server.ends(task);
    const { feed } = follow(server);
    await vi.waitFor(() => expect(tasksIn(feed)).toEqual(['t1', 't2']));
    server.ends('t4'); // not before those that are not loaded
    await vi.waitFor(() => expect(feed.session?.mailbox_items).toBe(4));
    expect(tasksIn(feed)).toEqual(['t1', 't2']);
    expect(feed.hasMore).toBe(true);
    await feed.more();
    expect(tasksIn(feed)).toEqual(['t1', 't2', 't3', 't4']);
    expect(feed.hasMore).toBe(false);
    feed.close();
  });

  test('is open or ended as its frames say', async () => {
    const server = new Server();
    server.add('session_started', { actor: 'user:a' });
    const { feed } = follow(server);
    await vi.waitFor(() => expect(feed.session).toBeDefined());
    server.add('session_ended', { reason: null, actor: 'user:a' });
    await vi.waitFor(() => expect(feed.session?.status).toBe('ended'));
    server.add('session_started', { actor: 'user:a' });
    await vi.waitFor(() => expect(feed.session?.status).toBe('open'));
    feed.close();
  });

  test('holds no connection while it is paused, and continues with what it missed', async () => {
    const server = new Server();
    server.ends('t1');
    const { feed } = follow(server);
    await vi.waitFor(() => expect(server.asked).toEqual(['mailbox', 'events from 1']));
    feed.pause(true);
    server.ends('t2');
    server.add('session_acknowledged', { through_seq: 0, actor: 'user:a' });
    expect(tasksIn(feed)).toEqual(['t1']);
    feed.pause(false);
    await vi.waitFor(() => expect(tasksIn(feed)).toEqual(['t2']));
    expect(server.asked).toEqual(['mailbox', 'events from 1', 'events from 1']);
    feed.close();
  });

  test('that has missed too much is read again', async () => {
    const server = new Server();
    server.ends('t1');
    const { feed } = follow(server);
    await vi.waitFor(() => expect(server.asked).toHaveLength(2));
    feed.pause(true);
    for (let i = 0; i < 2_001; i++) server.add('session_task_started', { task_id: `s${i}`, tool_name: 'bash' });
    feed.pause(false);
    await vi.waitFor(() => expect(server.asked.slice(2)).toEqual(['mailbox', 'events from 2002']));
    expect(feed.session?.tasks_started).toBe(2_001);
    feed.close();
  });

  test('that does not exist is not asked for again', async () => {
    const server = new Server();
    server.refusal = new Refusal(404, 'There is no session s');
    const { failed } = follow(server);
    await vi.waitFor(() => expect(failed).toEqual([server.refusal]));
  });
});
