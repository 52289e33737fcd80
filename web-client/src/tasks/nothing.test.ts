import { expect, test } from 'vitest';
import { ANY } from '../route';
import { nothingLike } from './nothing';

test.each([
  [{ text: 'a' }, 'No task has “a” in its title or label.'],
  [{ status: 'running' }, 'There is no task in the state “running, waiting or stopping”.'],
  [{ session: 's1', status: 'failed' }, 'There is no task of the session “s1” in the state “failed or lost”.'],
  [{ label: 'pr-42', session: 's1' }, 'No task of the session “s1” has the label “pr-42”.'],
  [{ label: 'pr-42', text: 'a', status: 'queued' }, 'No task in the state “queued or starting” has the label “pr-42” and “a” in its title or label.'],
])('the sentence for %j is: %s', (wanted, sentence) => {
  expect(nothingLike({ ...ANY, ...wanted })).toBe(sentence);
});
