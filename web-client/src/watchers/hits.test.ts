import { describe, expect, test } from 'vitest';
import type { Json } from '../frames/frames';
import type { Watcher } from '../server/watchers';
import { Hits, type HitRequests } from './hits';

/** A task's record: a watcher at frame 2, then a line of output and its hit in turns. */
class Task implements HitRequests {
  readonly asked: string[] = [];
  count: number;
  added: number | null = 2;

  constructor(count: number) {
    this.count = count;
  }

  watchers(fromSeq: number): ReturnType<HitRequests['watchers']> {
    this.asked.push(`watchers from ${fromSeq}`);
    const watcher = { watcher_id: 'w1', regex: 'x', event: 'found', seq: this.added } as Watcher;
    return Promise.resolve({ watchers: this.added === null ? [] : [watcher], next_seq: null });
  }

  async *events(fromSeq: number, signal: AbortSignal): AsyncGenerator<Json> {
    this.asked.push(`events from ${fromSeq}`);
    for (let seq = fromSeq; !signal.aborted; seq++) yield this.#frame(seq); // an open stream has no end
  }

  #frame(seq: number): Json {
    const envelope = { id: `t/${seq}`, stream_kind: 'task', stream_id: 't', session_id: 't', timestamp_ms: seq, seq, task_id: 't' };
    const offset_bytes = Math.max(0, seq - 3) * 5;
    if (seq % 2 === 1) {
      const log = { offset_bytes, bytes: 10, bytes_stored: offset_bytes + 10, first_line: (seq - 1) / 2, lines: 1 };
      return { ...envelope, type: 'tool_task_output_delta', stream: 'stdout', artifacts: { log } };
    }
    if (seq < 4) return { ...envelope, type: 'task_of_the_future' };
    const hit = { watcher_id: 'w1', event: 'found', stream: 'stdout', offset_bytes: offset_bytes - 5, bytes: 1, matched: 'x' };
    return { ...envelope, type: 'task_watcher_hit', ...hit, frame_seq: seq - 1 };
  }
}

const made = (task: Task): { hits: Hits; changes: () => number } => {
  let changes = 0;
  return { hits: new Hits(task, () => void changes++), changes: () => changes };
};

describe('the hits of a task', () => {
  test('are read from its first watcher on, and continue where they were', async () => {
    const task = new Task(10);
    const { hits } = made(task);
    await hits.read({ next_seq: 10 });
    expect(hits.all.map(({ seq }) => seq)).toEqual([4, 6, 8]);
    expect(hits.countOf('w1')).toBe(3);
    await hits.read({ next_seq: 14 });
    expect(hits.all.map(({ seq }) => seq)).toEqual([4, 6, 8, 10, 12]);
    expect(task.asked).toEqual(['watchers from 0', 'events from 2', 'events from 10']);
  });

  test('cost nothing where nothing has come since', async () => {
    const task = new Task(10);
    const { hits } = made(task);
    await hits.read({ next_seq: 10 });
    await hits.read({ next_seq: 10 });
    expect(task.asked).toHaveLength(2);
  });

  test('of a task without watchers are not read, nor are its watchers again', async () => {
    const task = new Task(10);
    task.added = null;
    const { hits } = made(task);
    await hits.read({ next_seq: 10 });
    await hits.read({ next_seq: 20 });
    expect(task.asked).toEqual(['watchers from 0']);
    hits.add({ watcher_id: 'w2', seq: 20 } as Watcher);
    await hits.read({ next_seq: 24 });
    expect(task.asked).toEqual(['watchers from 0', 'events from 20']);
    expect(hits.all.map(({ seq }) => seq)).toEqual([20, 22]);
  });

  test('know their lines', async () => {
    const { hits } = made(new Task(10));
    await hits.read({ next_seq: 10 });
    expect(hits.all.map((hit) => hits.lineOf(hit))).toEqual([1, 2, 3]);
  });

  test('of a long record are read from the end, and the earlier ones on request', async () => {
    const task = new Task(30_000);
    const { hits } = made(task);
    await hits.read({ next_seq: 30_000 });
    expect(hits.all[0]?.seq).toBe(10_000);
    expect(hits.unreadBefore).toBe(10_000);
    await hits.readEarlier();
    expect(hits.all[0]?.seq).toBe(4);
    expect(hits.all).toHaveLength(14_998);
    expect(hits.unreadBefore).toBeNull();
    expect(hits.lineOf(hits.all[0]!)).toBe(1);
    expect(hits.lineOf(hits.all.at(-1)!)).toBe(14_998);
  });

  test('that come while others are read are read next', async () => {
    const task = new Task(10);
    const { hits } = made(task);
    await Promise.all([hits.read({ next_seq: 6 }), hits.read({ next_seq: 10 })]);
    expect(hits.all.map(({ seq }) => seq)).toEqual([4, 6, 8]);
  });

  test('are read once at a time', async () => {
    const task = new Task(10);
    const { hits, changes } = made(task);
    await Promise.all([hits.read({ next_seq: 10 }), hits.read({ next_seq: 10 })]);
    expect(hits.all).toHaveLength(3);
    expect(changes()).toBe(2); // the watcher, the hits
  });
});
