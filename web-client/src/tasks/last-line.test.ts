import { expect, test } from 'vitest';
import type { Task } from '../server/api';
import { lastChannel, lastLineOf } from './last-line';

test.each([
  ['one\ntwo\n', 'two'],
  ['one\r\ntwo \r\n\r\n', 'two'],
  ['10 %\r20 %\r30 %', '30 %'],
  ['\x1b[32mok\x1b[0m\n', 'ok'],
  ['\n \n', ''],
  ['', ''],
  ['\x1b[?1049h\x1b[1;1HA whole screen', ''],
])('of %j it is %j', (tail, line) => expect(lastLineOf(tail)).toBe(line));

function task(stdout: number, stderr: number, outcome: Task['outcome'] = null): Pick<Task, 'artifacts' | 'outcome'> {
  const log = (bytes: number) => ({ id: '', path: '', bytes_total: bytes, bytes_stored: bytes, truncated: false, error: null });
  return { outcome, artifacts: { logs: { stdout: log(stdout), stderr: log(stderr) } } };
}

test('the last line is of the channel that was written to last, and of stderr where a task failed', () => {
  expect(lastChannel(task(0, 0), {})).toBeUndefined();
  expect(lastChannel(task(9, 0), {})).toBe('stdout');
  expect(lastChannel(task(9, 9), { stdout: 9, stderr: 5 })).toBe('stderr');
  expect(lastChannel(task(9, 9), { stdout: 9 })).toBe('stderr');
  expect(lastChannel(task(12, 9), { stdout: 9, stderr: 9 })).toBe('stdout');
  expect(lastChannel(task(9, 9, 'nonzero'), { stdout: 5, stderr: 9 })).toBe('stderr');
  expect(lastChannel(task(9, 0, 'nonzero'), { stdout: 5 })).toBe('stdout');
  expect(lastChannel(task(9, 9, 'succeeded'), { stdout: 9, stderr: 9 }, 'stderr')).toBe('stderr');
  expect(lastChannel(task(9, 9, 'succeeded'), {})).toBe('stdout');
});
