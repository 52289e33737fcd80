import { expect, test } from 'vitest';
import type { Task } from '../server/api';
import { TaskNotices } from './notices';

const RUNNING = { task_id: 't', title: 'Build', phase: 'running', outcome: null, status: 'running' } as unknown as Task;

function watched(): { told: string[]; update(changes: Partial<Task>, after?: number): void } {
  const told: string[] = [];
  let now = 0;
  const notices = new TaskNotices((title, body) => told.push(`${title}: ${body}`), () => now);
  return {
    told,
    update: (changes, after = 0) => {
      now += after;
      notices.update({ ...RUNNING, ...changes } as Task);
    },
  };
}

test('the end of a task is told once', () => {
  const { told, update } = watched();
  const ended = { phase: 'ended', outcome: 'nonzero', exit_code: 2, signal: null, status: 'exited', started_at_ms: 0, ended_at_ms: 3_000 } as Partial<Task>;
  update({});
  update(ended);
  update(ended);
  expect(told).toEqual(['Build: Failed with exit code 2 after 3 s.']);
});

test('a task that had ended before is not told', () => {
  const { told, update } = watched();
  update({ phase: 'ended', outcome: 'succeeded' } as Partial<Task>);
  expect(told).toEqual([]);
});

test('a program that waits after a while is told, and one that answers at once is not', () => {
  const { told, update } = watched();
  update({});
  update({ phase: 'awaiting_input' }, 1_000);
  update({ phase: 'running' }, 60_000);
  update({ phase: 'awaiting_input' }, 20_000);
  expect(told).toEqual(['Build: Waiting for input']);
});
