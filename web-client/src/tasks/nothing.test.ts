import { expect, test } from 'vitest';
import { ANY } from '../route';
import { nothingLike } from './nothing';

test.each([
  [{ text: 'a' }, 'No task has “a” in its title or label.'],
  [{ status: 'running' }, 'There is no running task.'],
  [{ session: 's1', status: 'failed' }, 'There is no failed task of the session “s1”.'],
  [{ label: 'pr-42', session: 's1' }, 'No task of the session “s1” has the label “pr-42”.'],
  [{ label: 'pr-42', text: 'a', status: 'queued' }, 'No queued task has the label “pr-42” and “a” in its title or label.'],
])('where nothing is like %j, it is said: %s', (wanted, sentence) => {
  expect(nothingLike({ ...ANY, ...wanted })).toBe(sentence);
});
