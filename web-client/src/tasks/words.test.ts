import { describe, expect, test } from 'vitest';
import type { Task } from '../server/api';
import { ago, endOf, iconOf, keptOf, labelOf, moodOf, nameOf, outputSize, runningTime, shortTime, stateOf, when } from './words';

const task: Task = {
  task_id: '0123456789ab',
  status: 'running',
  tool: 'bash',
  title: null,
  label: null,
  origin_session_id: null,
  execution_mode: 'pipes',
  exit_code: null,
  signal: null,
  started_at_ms: 1_000,
  ended_at_ms: null,
  artifacts: { logs: {} },
  error: null,
  phase: 'running',
  outcome: null,
  parent_task_id: null,
  batch: null,
  agent: null,
  next_seq: 3,
};

describe('a task', () => {
  test.each<[Partial<Task>, string, string, string]>([
    [{}, 'Running', 'busy', ''],
    [{ phase: 'queued', started_at_ms: null }, 'Queued', 'idle', ''],
    [{ phase: 'awaiting_input', started_at_ms: null }, 'Needs approval', 'poor', ''],
    [{ phase: 'awaiting_input' }, 'Waiting for input', 'waits', ''],
    [{ phase: 'stopping' }, 'Stopping', 'poor', ''],
    [{ outcome: 'succeeded', exit_code: 0, ended_at_ms: 3_000 }, 'Succeeded', 'good', 'Succeeded in 2 s.'],
    [{ outcome: 'nonzero', exit_code: 3, ended_at_ms: 3_000 }, 'Failed (3)', 'bad', 'Failed with exit code 3 after 2 s.'],
    [
      { outcome: 'nonzero', exit_code: 130, signal: 2, ended_at_ms: 3_000 },
      'Killed (SIGINT)',
      'bad',
      'Killed by SIGINT after 2 s.',
    ],
    [{ outcome: 'cancelled', ended_at_ms: 3_000 }, 'Stopped', 'poor', 'Stopped after 2 s.'],
    [{ outcome: 'cancelled', exit_code: 137, signal: 9, ended_at_ms: 3_000 }, 'Killed', 'poor', 'Killed after 2 s.'],
    [
      { outcome: 'cancelled', exit_code: 137, signal: 9, error: 'Did not react to TERM, killed after 5 s', ended_at_ms: 8_000 },
      'Killed',
      'poor',
      'Stopped after 7 s. Did not react to TERM, killed after 5 s.',
    ],
    [{ outcome: 'timed_out', ended_at_ms: 3_000 }, 'Timed out', 'poor', 'Timed out after 2 s.'],
    [
      { outcome: 'failed', error: 'no such folder', started_at_ms: null },
      'Failed',
      'bad',
      'Could not run: no such folder.',
    ],
    [{ outcome: 'lost', error: 'lost: the server was killed' }, 'Lost', 'bad', 'Lost: the server was killed.'],
  ])('%j is %s, %s: %s', (change, state, mood, end) => {
    const changed = { ...task, ...change };
    expect([stateOf(changed), moodOf(changed), endOf(changed)]).toEqual([state, mood, end]);
  });

  test('is named by its title, or by its tool and the beginning of its id', () => {
    expect(nameOf({ ...task, title: 'greet' })).toBe('greet');
    expect(nameOf({ ...task, title: '  ' })).toBe('bash 01234567');
  });

  test('runs for whole seconds while it runs', () => {
    expect(runningTime(task, 1_400)).toBe('0 s');
    expect(runningTime(task, 62_999)).toBe('1 min 1 s');
    expect(runningTime({ ...task, ended_at_ms: 1_020 }, 99_999)).toBe('20 ms');
    expect(runningTime({ ...task, started_at_ms: null }, 99_999)).toBe('–');
  });

  test('has the output of all its channels together', () => {
    const log = { id: 'a', path: 'a', bytes_stored: 0, truncated: false, error: null };
    const logs = { stdout: { ...log, bytes_total: 1024 }, stderr: { ...log, bytes_total: 512 } };
    expect(outputSize({ artifacts: { logs } })).toBe('1.5 KiB');
    expect(outputSize(task)).toBe('–');
    expect(keptOf({ artifacts: { logs } })).toBe('');
    const cut = { ...log, bytes_total: 2048, bytes_stored: 1024, truncated: true };
    expect(keptOf({ artifacts: { logs: { pty: cut } } })).toBe(
      ' Output limit reached: the first 1.0 KiB of 2.0 KiB are stored.',
    );
  });
});

test('a time of today has no date, another has one', () => {
  const noon = new Date(2026, 2, 4, 12, 5).getTime();
  expect(shortTime(noon, noon + 3_600_000)).toBe('12:05');
  expect(shortTime(noon, noon + 24 * 3_600_000)).toBe('2026-03-04 12:05');
  expect(when(noon)).toBe('2026-03-04 12:05:00');
  expect(when(null)).toBe('–');
});

test.each([
  [0, 'just now'],
  [-5_000, 'just now'],
  [34_000, '34 s ago'],
  [3 * 60_000, '3 min ago'],
  [23.9 * 3_600_000, '23 h ago'],
  [24 * 3_600_000, '1 day ago'],
  [7 * 24 * 3_600_000, '7 days ago'],
  [8 * 24 * 3_600_000, '2026-03-04'],
])('%d ms later it is %s', (later, said) => {
  const noon = new Date(2026, 2, 4, 12, 5).getTime();
  expect(ago(noon, noon + later)).toBe(said);
});

test('is named by its title, else by its label, which is not repeated', () => {
  const labelled = { ...task, label: 'pr-42' };
  expect([nameOf({ ...labelled, title: 'Review' }), labelOf({ ...labelled, title: 'Review' })]).toEqual(['Review', 'pr-42']);
  expect([nameOf(labelled), labelOf(labelled)]).toEqual(['pr-42', '']);
  expect([nameOf({ ...labelled, title: 'pr-42' }), labelOf({ ...labelled, title: 'pr-42' })]).toEqual(['pr-42', '']);
  expect([nameOf(task), labelOf(task)]).toEqual(['bash 01234567', '']);
});

test('every state has a shape of its own', () => {
  const states: Partial<Task>[] = [
    {},
    { phase: 'queued' },
    { phase: 'starting' },
    { phase: 'awaiting_input' },
    { phase: 'awaiting_input', started_at_ms: null },
    { outcome: 'succeeded' },
    { outcome: 'nonzero' },
    { outcome: 'cancelled' },
    { outcome: 'cancelled', signal: 9 },
    { outcome: 'timed_out' },
    { outcome: 'lost' },
  ];
  const shapes = states.map((state) => iconOf({ ...task, ...state }));
  expect(new Set(shapes).size).toBe(states.length);
});
