import { expect, test } from 'vitest';
import type { Outcome, Phase } from '../frames/frames';
import { inputOf } from './input';

const at = (phase: Phase, outcome: Outcome | null = null, more: { tool?: string; after_turn?: 'end' | 'stay'; turns?: number; canLoad?: boolean } = {}) => {
  const { tool = 'background_task', after_turn = 'end', turns = 1, canLoad = true } = more;
  const input = inputOf({ tool, outcome }, { after_turn }, { phase, turns, canLoad });
  return input.is === 'off' ? input.why : input.is;
};

test('an agent at work is steered', () => {
  expect(at('running')).toBe('steer');
  expect(at('idle', null, { after_turn: 'stay' })).toBe('steer');
});

test('an agent that has finished is resumed', () => {
  expect(at('ended', 'succeeded')).toBe('resume');
});

test('a message that nobody can take is not sent, and the reason is shown', () => {
  expect(at('queued')).toBe('The agent has not started yet.');
  expect(at('running', null, { turns: 0 })).toBe('The agent program is starting.');
  expect(at('idle')).toBe('The agent has finished, and its program is ending.');
  expect(at('awaiting_input')).toBe('The agent waits for the answer to its question.');
  expect(at('stopping')).toBe('The task is being stopped.');
  expect(at('ended', 'failed')).toContain('did not finish its turn');
  expect(at('ended', 'succeeded', { canLoad: false })).toContain('cannot load');
  expect(at('ended', 'succeeded', { tool: 'task_spawn' })).toContain('task_spawn started this one');
});

test('a message can be written while the agent takes none, if it may take one later', () => {
  const spec = { after_turn: 'end' } as const;
  const agent = { turns: 1, canLoad: true };
  expect(inputOf({ tool: 'background_task', outcome: null }, spec, { ...agent, phase: 'idle' })).toMatchObject({ isFinal: false });
  expect(inputOf({ tool: 'background_task', outcome: null }, spec, { ...agent, phase: 'stopping' })).toMatchObject({ isFinal: true });
  expect(inputOf({ tool: 'background_task', outcome: 'lost' }, spec, { ...agent, phase: 'ended' })).toMatchObject({ isFinal: true });
});
