import { expect, test } from 'vitest';
import { Refusal, type TaskListChange } from '../server/api';
import { ListFeed } from './feed';

type Tell = (change: TaskListChange | Error | null) => void;

/** A server that tells what a test lets it tell, one connection after the other. */
class Server {
  connections = 0;
  #told: Tell | undefined;
  #waits: ((tell: Tell) => void) | undefined;

  async *changes(signal: AbortSignal, answered: () => void): AsyncGenerator<TaskListChange, void> {
    this.connections++;
    answered();
    for (;;) {
      const change = await new Promise<TaskListChange | Error | null>((resolve) => {
        signal.addEventListener('abort', () => resolve(new Error('aborted')));
        this.#told = resolve;
        this.#waits?.(resolve);
        this.#waits = undefined;
      });
      this.#told = undefined;
      if (change === null) return;
      if (change instanceof Error) throw change;
      yield change;
    }
  }

  /** Tells the connection that waits now, or the next one. */
  async tell(change: TaskListChange | Error | null): Promise<void> {
    const told = this.#told ?? (await new Promise<Tell>((resolve) => (this.#waits = resolve)));
    told(change);
  }
}

function follow(server: Server): { feed: ListFeed; next: () => Promise<string> } {
  const heard: string[] = [];
  let wake: (() => void) | undefined;
  const hear = (what: string): void => {
    heard.push(what);
    wake?.();
  };
  const feed = new ListFeed(server, {
    stale: () => hear('stale'),
    changed: ({ gone = [] }) => hear(`gone ${gone.join()}`),
    failed: ({ status }) => hear(`failed ${status}`),
  });
  void feed.run();
  const next = async (): Promise<string> => {
    while (heard.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return heard.shift()!;
  };
  return { feed, next };
}

test('a list is read when it is followed, and when more has changed than was told', async () => {
  const server = new Server();
  const { feed, next } = follow(server);
  expect(await next()).toBe('stale');
  await server.tell({ tasks: [], gone: ['a'] });
  expect(await next()).toBe('gone a');
  await server.tell({});
  expect(await next()).toBe('stale');
  feed.close();
});

test('a hidden page holds no connection, and reads the list when it is seen again', async () => {
  const server = new Server();
  const { feed, next } = follow(server);
  expect(await next()).toBe('stale');
  feed.pause(true);
  feed.pause(false);
  expect(await next()).toBe('stale');
  expect(server.connections).toBe(2);
  feed.close();
});

test('a refusal that will not pass is told once, until another list is wanted', async () => {
  const server = new Server();
  const { feed, next } = follow(server);
  expect(await next()).toBe('stale');
  await server.tell(new Refusal(400, 'no such status'));
  expect(await next()).toBe('failed 400');
  expect(server.connections).toBe(1);
  feed.restart();
  expect(await next()).toBe('stale');
  feed.close();
});

test('a connection that breaks is told, and made again', async () => {
  const server = new Server();
  const { feed, next } = follow(server);
  expect(await next()).toBe('stale');
  await server.tell(new TypeError('network error'));
  expect(await next()).toBe('failed 0');
  expect(await next()).toBe('stale');
  feed.close();
});
