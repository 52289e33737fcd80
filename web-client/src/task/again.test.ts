import { expect, test } from 'vitest';
import type { ToolTaskSpawned } from '../frames/frames';
import { environmentOf, isRepeatable, requestOf, shellOf } from './again';

const spec = {
  tool_name: 'bash',
  args: { command: 'make', rows: 24, cwd: 'src', artifact_max_bytes: 1024 },
  cwd: '/work/src',
  title: 'build',
  label: 'pr-42',
  execution_mode: 'pty',
  origin_session_id: 's',
  on_lost: 'end',
  stdin_open: true,
} as unknown as ToolTaskSpawned;

test('a task is run again with what its record has', () => {
  const request = {
    tool: 'bash',
    title: 'build',
    label: 'pr-42',
    origin_session_id: 's',
    execution_mode: 'pty',
    args: { command: 'make', rows: 24, cwd: 'src', artifact_max_bytes: 1024 },
  };
  expect(requestOf(spec)).toEqual(request);
  expect(requestOf({ ...spec, execution_mode: 'pipes' })).toEqual({
    ...request,
    execution_mode: 'pipes',
    on_lost: 'end',
    stdin: 'open',
  });
  expect(isRepeatable(spec)).toBe(true);
});

test('a task with an environment is not run again unasked', () => {
  const secret = { ...spec, args: { command: 'make', env: ['TOKEN'] } };
  expect(environmentOf(secret)).toEqual(['TOKEN']);
  expect(isRepeatable(secret)).toBe(false);
  expect(requestOf(secret)['args']).not.toHaveProperty('env');
});

test('the words of a program are quoted for a shell', () => {
  expect(shellOf({ args: { argv: ['grep', '-r', "it's", 'a b', './x'] } })).toBe(`grep -r 'it'\\''s' 'a b' ./x`);
  expect(shellOf({ args: { command: 'make && ls' } })).toBe('make && ls');
});
