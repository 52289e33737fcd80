import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stepsOf } from '../replay/steps';
import { events, Refusal } from './api';

/** A server that responds with streams, and sends nothing by itself. */
class Server {
  readonly asked: { path: string; signal: AbortSignal; sends(text: string): void }[] = [];
  answers = true;

  fetch(path: string, { signal }: { signal: AbortSignal }): Promise<Response> {
    let out: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (out = controller) });
    this.asked.push({ path, signal, sends: (text) => out.enqueue(new TextEncoder().encode(text)) });
    return this.answers ? Promise.resolve(new Response(body)) : new Promise(() => undefined);
  }

  get line(): (typeof this.asked)[number] {
    return this.asked.at(-1)!;
  }
}

const HEARTBEAT = ':\n\n';
const frame = (seq: number): string =>
  `id: ${seq}\ndata: ${JSON.stringify({ id: `t/${seq}`, stream_kind: 'task', stream_id: 't', session_id: 't', timestamp_ms: seq, seq, type: 'task_new_thing' })}\n\n`;
const seqOf = (json: unknown): number => (json as { seq: number }).seq;

let server: Server;
let left: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  server = new Server();
  left = new AbortController();
  vi.stubGlobal('fetch', (path: string, init: { signal: AbortSignal }) => server.fetch(path, init));
});

afterEach(() => {
  left.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a stream of events', () => {
  /** The result of a promise within this much time. */
  const after = async (ms: number, what: Promise<unknown>): Promise<unknown> => {
    let became: unknown = 'nothing yet';
    what.then(
      (value) => (became = value),
      (reason: unknown) => (became = reason),
    );
    await vi.advanceTimersByTimeAsync(ms);
    return became;
  };

  test('that sends nothing, not even its heartbeat, is dead, and its connection is free', async () => {
    const stream = events('t', 0, left.signal);
    const first = stream.next();
    await vi.advanceTimersByTimeAsync(0);
    server.line.sends(frame(0));
    expect(seqOf((await first).value)).toBe(0);
    const next = stream.next();
    expect(await after(39_000, next)).toBe('nothing yet');
    expect(server.line.signal.aborted).toBe(false);
    const became = await after(2_000, next);
    expect(became).toBeInstanceOf(Refusal);
    expect(became).toMatchObject({ status: 0, message: 'Cannot reach the server. Is it running?' });
    expect(server.line.signal.aborted).toBe(true);
  });

  test('that gets no response is dead too', async () => {
    server.answers = false;
    expect(await after(41_000, events('t', 0, left.signal).next())).toBeInstanceOf(Refusal);
    expect(server.line.signal.aborted).toBe(true);
  });

  test('is alive with heartbeats only', async () => {
    const stream = events('t', 0, left.signal);
    const first = stream.next();
    for (let beat = 0; beat < 10; beat++) {
      expect(await after(15_000, first)).toBe('nothing yet');
      server.line.sends(HEARTBEAT);
    }
    server.line.sends(frame(0));
    expect(seqOf((await first).value)).toBe(0);
    expect(server.line.signal.aborted).toBe(false);
  });

  test('is not taken for dead by a slow reader', async () => {
    const stream = events('t', 0, left.signal);
    const first = stream.next();
    await vi.advanceTimersByTimeAsync(0);
    server.line.sends(frame(0));
    await first;
    await vi.advanceTimersByTimeAsync(600_000);
    server.line.sends(frame(1));
    expect(seqOf((await stream.next()).value)).toBe(1);
    expect(server.line.signal.aborted).toBe(false);
  });

  test('ends when its reader leaves', async () => {
    const stream = events('t', 0, left.signal);
    void stream.next();
    await vi.advanceTimersByTimeAsync(0);
    left.abort();
    expect(server.line.signal.aborted).toBe(true);
  });
});

test('a replay whose events are dead continues on a new connection', async () => {
  const steps = stepsOf('t', 0, left.signal);
  const first = steps.next();
  await vi.advanceTimersByTimeAsync(0);
  server.line.sends(frame(0));
  expect((await first).value).toMatchObject({ seq: 0 });
  const second = steps.next();
  await vi.advanceTimersByTimeAsync(41_000);
  expect(server.asked.map(({ path }) => path)).toEqual([
    '/tasks/t/events?until=end&text=none&from_seq=0',
    '/tasks/t/events?until=end&text=none&from_seq=1',
  ]);
  server.line.sends(frame(1));
  expect((await second).value).toMatchObject({ seq: 1 });
});
