import { expect, test } from 'vitest';
import { matching, type Choice } from './palette';

const choices = ['Start a task', 'All tasks', 'This server', 'npm test'].map((name): Choice => ({
  name,
  hint: '',
  act: () => undefined,
}));

test.each([
  ['', ['Start a task', 'All tasks', 'This server', 'npm test']],
  ['tas', ['All tasks', 'Start a task']],
  ['SERV', ['This server']],
  ['nt', ['npm test']],
  ['xyz', []],
])('%j finds %j', (typed, names) => {
  expect(matching(choices, typed).map(({ name }) => name)).toEqual(names);
});
