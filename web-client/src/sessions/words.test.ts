import { expect, test } from 'vitest';
import { counted, nameOfItem, runningIn, standingOf, stateOfEnd } from './words';

test.each([
  [{ task_id: 'abcdefghij', title: 'Build', label: 'x' }, 'Build'],
  [{ task_id: 'abcdefghij', title: ' ', label: 'x' }, 'x'],
  [{ task_id: 'abcdefghij', tool_name: 'bash' }, 'bash abcdefgh'],
  [{ task_id: 'abcdefghij', name: 'shell', title: null, label: null }, 'shell abcdefgh'],
  [{ task_id: 'abcdefghij' }, 'task abcdefgh'],
])('%j is called %j', (item, name) => expect(nameOfItem(item)).toBe(name));

test('the end of a task has the words of the list', () => {
  expect(stateOfEnd({ outcome: 'nonzero', exit_code: 3 })).toBe('Failed (3)');
  expect(stateOfEnd({ outcome: 'cancelled', exit_code: 143 })).toBe('Stopped');
});

test('a session is running while one of its tasks has not ended', () => {
  expect(standingOf({ status: 'open', tasks_started: 2, tasks_ended: 1 }).text).toBe('Running');
  expect(standingOf({ status: 'ended', tasks_started: 2, tasks_ended: 1 }).text).toBe('Running');
  expect(standingOf({ status: 'open', tasks_started: 2, tasks_ended: 2 }).text).toBe('Open');
  expect(standingOf({ status: 'ended', tasks_started: 2, tasks_ended: 2 }).text).toBe('Ended');
  expect(runningIn({ tasks_started: 1, tasks_ended: 2 })).toBe(0); // refused before they started
});

test('a number has its noun', () => {
  expect([0, 1, 2].map((count) => counted(count, 'match', 'matches'))).toEqual(['0 matches', '1 match', '2 matches']);
  expect(counted(2, 'item')).toBe('2 items');
});
