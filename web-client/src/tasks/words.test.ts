import { describe, expect, test } from 'vitest';
import type { Status, Task } from '../server/api';
import { endOf, keptOf, labelOf, moodOf, nameOf, outputSize, runningTime, stateOf, STATUS_WORDS, when } from './words';

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
    [{}, 'running', 'busy', ''],
    [{ phase: 'queued', started_at_ms: null }, 'queued', 'idle', ''],
    [{ phase: 'awaiting_input', started_at_ms: null }, 'waiting', 'poor', ''],
    [{ phase: 'awaiting_input' }, 'waiting for input', 'waits', ''],
    [{ phase: 'stopping' }, 'stopping', 'poor', ''],
    [{ outcome: 'succeeded', exit_code: 0, ended_at_ms: 3_000 }, 'succeeded', 'good', 'Succeeded in 2 s.'],
    [{ outcome: 'nonzero', exit_code: 3, ended_at_ms: 3_000 }, 'exit code 3', 'bad', 'Failed with exit code 3 after 2 s.'],
    [
      { outcome: 'nonzero', exit_code: 130, signal: 2, ended_at_ms: 3_000 },
      'signal 2',
      'bad',
      'Terminated by signal 2 after 2 s.',
    ],
    [{ outcome: 'cancelled', ended_at_ms: 3_000 }, 'stopped', 'poor', 'Stopped after 2 s.'],
    [{ outcome: 'cancelled', exit_code: 137, signal: 9, ended_at_ms: 3_000 }, 'killed', 'poor', 'Killed after 2 s.'],
    [
      { outcome: 'cancelled', exit_code: 137, signal: 9, error: 'Did not react to TERM, killed after 5 s', ended_at_ms: 8_000 },
      'killed',
      'poor',
      'Stopped after 7 s. Did not react to TERM, killed after 5 s.',
    ],
    [{ outcome: 'timed_out', ended_at_ms: 3_000 }, 'timed out', 'poor', 'Timed out after 2 s.'],
    [
      { outcome: 'failed', error: 'no such folder', started_at_ms: null },
      'failed',
      'bad',
      'Could not run: no such folder.',
    ],
    [{ outcome: 'lost', error: 'lost: the server was killed' }, 'lost', 'bad', 'Lost: the server was killed.'],
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
  expect(when(noon, noon + 3_600_000)).toBe('12:05');
  expect(when(noon, noon + 24 * 3_600_000)).toBe('2026-03-04 12:05');
  expect(when(null, noon)).toBe('–');
});

test('is named by its title, else by its label, which is not repeated', () => {
  const labelled = { ...task, label: 'pr-42' };
  expect([nameOf({ ...labelled, title: 'Review' }), labelOf({ ...labelled, title: 'Review' })]).toEqual(['Review', 'pr-42']);
  expect([nameOf(labelled), labelOf(labelled)]).toEqual(['pr-42', '']);
  expect([nameOf({ ...labelled, title: 'pr-42' }), labelOf({ ...labelled, title: 'pr-42' })]).toEqual(['pr-42', '']);
  expect([nameOf(task), labelOf(task)]).toEqual(['bash 01234567', '']);
});

test.each<[Status, Partial<Task>[]]>([
  ['queued', [{ phase: 'queued' }, { phase: 'starting' }]],
  ['running', [{}, { phase: 'awaiting_input' }, { phase: 'awaiting_input', started_at_ms: null }, { phase: 'stopping' }]],
  ['exited', [{ outcome: 'succeeded' }, { outcome: 'nonzero', exit_code: 3 }, { outcome: 'nonzero', signal: 9 }]],
  ['cancelled', [{ outcome: 'cancelled' }, { outcome: 'cancelled', signal: 9 }, { outcome: 'timed_out' }]],
  ['failed', [{ outcome: 'failed' }, { outcome: 'lost' }]],
])('the status %s is named by the words that its rows begin with', (status, states) => {
  const words = STATUS_WORDS[status].split(/, | or /);
  const said = states.map((state) => stateOf({ ...task, ...state }));
  expect(said.every((state) => words.some((word) => state.startsWith(word))), said.join()).toBe(true);
  expect(words.every((word) => said.some((state) => state.startsWith(word))), words.join()).toBe(true);
});
