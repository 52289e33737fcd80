import { expect, test } from 'vitest';
import { ANY } from '../route';
import { nothingLike } from './nothing';

test.each([
  [{ text: 'a' }, 'No tasks with “a” in the title, label or command.'],
  [{ status: 'running' }, 'No running tasks.'],
  [{ session: 's1', status: 'unsuccessful' }, 'No failed tasks of the session “s1”.'],
  [{ label: 'pr-42', session: 's1' }, 'No tasks of the session “s1” labelled “pr-42”.'],
  [{ label: 'pr-42', text: 'a', status: 'queued' }, 'No queued tasks labelled “pr-42” with “a” in the title, label or command.'],
])('the sentence for %j is: %s', (wanted, sentence) => {
  expect(nothingLike({ ...ANY, ...wanted })).toBe(sentence);
});
