import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json } from '../frames/frames';
import { readFrame } from '../frames/parse';
import { Conversation, type Call, type Item } from './model';

const FAILED = { status: 'failed', exit_code: null, started_at_ms: 1, ended_at_ms: 9, artifacts: null, error: 'it broke off', phase: 'ended', outcome: 'failed', signal: null, question: null, cause: 'program', actor: 'server', refused: null };

/** A conversation of these frames, as the server sends them, without the fields that all have. */
function of(...frames: { type: string; [name: string]: Json }[]): Conversation {
  const talk = new Conversation();
  frames.forEach((frame, seq) => talk.add(readFrame({ id: `t/${seq}`, stream_kind: 'task', stream_id: 't', session_id: 't', task_id: 't', timestamp_ms: 1000 + seq, seq, ...frame })));
  return talk;
}

const turn = (number: number, kind = 'prompt', prompt = 'do it') => ({ type: 'task_turn_started', turn: number, kind, prompt, prompt_id: null, actor: 'user:alice' });
const says = (text: string, message_id: string | null = null, role = 'assistant') => ({ type: 'task_agent_message', turn: 1, role, message_id, text });
const call = (call_id: string, call_status: string | null, fields: { [name: string]: Json } = {}) => ({
  type: 'task_agent_tool_call', turn: 1, call_id, name: null, title: null, call_status, input: null, output: null, child_task_id: null, ...fields,
});
const status = (phase: string, question: string | null = null) => ({
  type: 'tool_task_status', status: 'running', exit_code: null, started_at_ms: 1, ended_at_ms: null, artifacts: null, error: null, phase, outcome: null, signal: null, question, cause: 'policy', actor: 'policy', refused: null,
});

const texts = (items: readonly Item[]): string[] => items.map((item) => (item.is === 'message' ? item.said.text : item.is === 'turn' ? `${item.kind}: ${item.prompt}` : item.is === 'call' ? `${item.title ?? item.name}: ${item.state}` : item.text));

describe('a conversation', () => {
  test('joins the frames of a message by its id, in its first place', () => {
    const talk = of(turn(1), says('Let me ', 'm-1'), says('hm', 'm-2', 'thought'), says('look.', 'm-1'));
    expect(texts(talk.items)).toEqual(['prompt: do it', 'Let me look.', 'hm']);
  });

  test('joins messages without an id up to the next tool call', () => {
    const talk = of(turn(1), says('a'), says('b'), call('t-1', 'pending', { title: 'Read' }), says('c'), call('t-1', 'completed'), says('d'));
    expect(texts(talk.items)).toEqual(['prompt: do it', 'ab', 'Read: completed', 'cd']);
  });

  test('begins a message with each turn, also with an id that was there before', () => {
    const talk = of(turn(1), says('a', 'm'), turn(2, 'steer', 'no, this'), says('b', 'm'));
    expect(texts(talk.items)).toEqual(['prompt: do it', 'a', 'steer: no, this', 'b']);
  });

  test('applies the changes of a tool call', () => {
    const talk = of(
      turn(1),
      call('t', 'pending', { name: 'bash', title: 'make', input: '{"command":"make"}' }),
      call('t', 'running', { child_task_id: 'child-1' }),
      call('t', null, { output: 'one\n' }),
      call('t', 'failed', { output: 'two\n' }),
    );
    const made = talk.items[1] as Call;
    expect([made.name, made.title, made.state, made.child]).toEqual(['bash', 'make', 'failed', 'child-1']);
    expect([made.input.text, made.output.text]).toEqual(['{"command":"make"}', 'one\ntwo\n']);
    expect([...talk.children]).toEqual(['child-1']);
  });

  test('has another call for an id that begins again', () => {
    expect(texts(of(call('t', 'pending', { name: 'a' }), call('t', 'completed'), call('t', 'pending', { name: 'b' })).items)).toEqual(['a: completed', 'b: pending']);
  });

  test('shows a call whose beginning was not read', () => {
    expect(texts(of(call('t', 'completed', { output: 'x' })).items)).toEqual(['null: completed']);
  });

  test('says that a call was not finished when its run ended', () => {
    const talk = of(turn(1), call('t', 'pending', { name: 'bash' }), { type: 'tool_task_status', ...FAILED });
    expect(texts(talk.items)).toEqual(['prompt: do it', 'bash: unfinished', 'Failed: it broke off']);
    expect(talk.items.at(-1)).toMatchObject({ isTrouble: true });
  });

  test('has the latest plan and the sum of the usage', () => {
    const entries = [{ content: 'read', status: 'completed' }];
    const talk = of(
      { type: 'task_agent_plan', turn: 1, entries: [{ content: 'read', status: 'pending' }] },
      { type: 'task_usage', input_tokens: 10, output_tokens: 2, cost_micro_usd: 5 },
      { type: 'task_usage', input_tokens: 1, output_tokens: 3, cost_micro_usd: 0 },
      { type: 'task_agent_plan', turn: 1, entries },
    );
    expect(talk.plan).toEqual(entries);
    expect(talk.usage).toEqual({ input: 11, output: 5, microUsd: 5 });
    expect(talk.items).toEqual([]);
  });

  test('has a question until the next status', () => {
    expect(of(status('awaiting_input', 'May it?')).question).toBe('May it?');
    expect(of(status('awaiting_input', 'May it?'), status('running')).question).toBeNull();
  });

  test('keeps a bounded part of an endless message, and counts the rest', () => {
    const talk = of(...Array.from({ length: 13 }, () => says('x'.repeat(100_000), 'm')));
    const [message] = talk.items;
    expect(message).toMatchObject({ is: 'message', said: { more: 300_000 } });
    expect(message?.is === 'message' && message.said.text.length).toBe(1_000_000);
  });

  test('names the items that have changed', () => {
    const talk = of(turn(1), says('a', 'm'));
    talk.changed.clear();
    talk.add(readFrame({ ...says('b', 'm'), id: 't/2', stream_kind: 'task', stream_id: 't', session_id: 't', task_id: 't', timestamp_ms: 1, seq: 2 }));
    expect([...talk.changed]).toEqual([talk.items[1]]);
  });

  test('reads the golden stream of an agent', () => {
    const talk = new Conversation();
    const lines = readFileSync(new URL('../../../conformance/streams/v1/agent.jsonl', import.meta.url), 'utf8').trim().split('\n');
    for (const line of lines) talk.add(readFrame((JSON.parse(line) as { frame: Json }).frame));
    expect(talk.canLoad).toBe(true);
    expect(talk.items.filter(({ is }) => is === 'turn').length).toBe(talk.turns);
    expect(talk.items.filter(({ is }) => is === 'call').every((each) => each.is === 'call' && each.name !== null)).toBe(true);
  });
});
