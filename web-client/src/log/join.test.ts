import { expect, test } from 'vitest';
import type { Task } from '../server/api';
import { joinOf, opensOf } from './join';

const MIB = 1024 * 1024;

function task(stdout: number, stderr: number, outcome: Task['outcome']): Task {
  const log = (bytes: number) => ({ id: '', path: '', bytes_total: bytes, bytes_stored: bytes, truncated: false, error: null });
  return { outcome, artifacts: { logs: { stdout: log(stdout), stderr: log(stderr) } } } as unknown as Task;
}

test('a long log of one channel is shown as that channel, once the other has ended empty', () => {
  expect(opensOf(task(9 * MIB, 0, 'succeeded'))).toBe('stdout');
  expect(opensOf(task(0, 9 * MIB, 'nonzero'))).toBe('stderr');
  expect(opensOf(task(9 * MIB, 1, 'succeeded'))).toBeNull();
  expect(opensOf(task(9 * MIB, 0, null))).toBeNull();
});

test('a log that is shown from its beginning shows both channels', () => {
  expect(joinOf(task(MIB, 0, 'succeeded'))).toEqual({ from_seq: 0 });
  expect(opensOf(task(MIB, 0, 'succeeded'))).toBeNull();
});
