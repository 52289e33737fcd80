import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { after, fold } from './fold';
import { Failure, type Json, type Outcome, type Phase, type TurnKind } from './frames';
import { parseFrame, readFrame } from './parse';
import { ABSENT, type TaskState } from './state';
import * as words from './words';

const ROOT = new URL('../../../conformance/', import.meta.url);

function files(folder: string): [name: string, text: string][] {
  const names = readdirSync(new URL(folder, ROOT)).sort();
  expect(names.length).toBeGreaterThan(0);
  return names.map((name) => [name, readFileSync(new URL(folder + name, ROOT), 'utf8')]);
}

function refusal(refused: () => unknown): Failure {
  try {
    refused();
  } catch (failure) {
    if (failure instanceof Failure) return failure;
    throw failure;
  }
  throw new Error('nothing was refused');
}

/** The state after a line of a golden stream, named like `exit-0.jsonl:3`; null names the beginning. */
function stateAfter(place: string | null): TaskState {
  if (place === null) return ABSENT;
  const [name, line] = place.split(':');
  const lines = readFileSync(new URL(`streams/v1/${name}`, ROOT), 'utf8').split('\n').slice(0, Number(line));
  return fold(lines.map((pair) => readFrame((JSON.parse(pair) as { frame: Json }).frame)));
}

interface Refused {
  error: { code: string; message: string };
}

describe('golden streams', () => {
  test.each(files('streams/v1/'))('%s folds to its states', (_, text) => {
    let state = ABSENT;
    for (const line of text.trimEnd().split('\n')) {
      const pair = JSON.parse(line) as { frame: Json; state: TaskState };
      state = after(state, readFrame(pair.frame));
      expect(state).toStrictEqual(pair.state);
    }
  });

  test.each(files('sessions/v1/'))('%s is read', (_, text) => {
    for (const line of text.trimEnd().split('\n')) {
      const pair = JSON.parse(line) as { frame: Json };
      expect(readFrame(pair.frame).frame).toStrictEqual(pair.frame);
    }
  });
});

test('frames from before fields were added are still read', () => {
  const lines = readFileSync(new URL('older/v1.jsonl', ROOT), 'utf8').trimEnd().split('\n');
  const pairs = lines.map((line) => JSON.parse(line) as { older: Json; frame: { stream_id: string } & { [name: string]: Json } });
  for (const id of new Set(pairs.map(({ frame }) => frame.stream_id))) {
    const stream = pairs.filter(({ frame }) => frame.stream_id === id);
    expect(fold(stream.map((pair) => readFrame(pair.older)))).toStrictEqual(fold(stream.map((pair) => readFrame(pair.frame))));
  }
});

describe('illegal streams', () => {
  test.each(files('illegal/v1/'))('%s is refused in the same words', (_, text) => {
    const file = JSON.parse(text) as Refused & { after: string | null; illegal: Json };
    const state = stateAfter(file.after);
    const before = structuredClone(state);
    const failure = refusal(() => after(state, readFrame(file.illegal)));
    expect({ code: failure.code, message: failure.message }).toStrictEqual(file.error);
    expect(state).toStrictEqual(before);
  });
});

describe('malformed frames', () => {
  const everyones = files('malformed/v1/')
    .map(([name, text]) => [name, JSON.parse(text) as Refused & { text: string; refused_by: string }] as const)
    .filter(([, file]) => file.refused_by === 'everyone');

  test.each(everyones)('%s is refused', (_, file) => {
    const failure = refusal(() => parseFrame(file.text));
    expect(failure.code).toBe(file.error.code);
    // A sentence that names a field is the same in both languages; other sentences are each language's own.
    if (file.error.message.startsWith('frame.')) expect(failure.message).toBe(file.error.message);
  });
});

interface Row {
  phase: Phase;
  outcome: Outcome | null;
  selected: boolean;
  requeued: boolean;
  running_turn: TurnKind | null;
}

test('every contract uses the words of the table', () => {
  const rows = JSON.parse(readFileSync(new URL('words.json', ROOT), 'utf8')) as Row[];
  expect(rows.length).toBe(13 * 8);
  for (const row of rows) {
    const { phase, outcome, selected, requeued, running_turn } = row;
    expect({
      phase,
      outcome,
      selected,
      requeued,
      running_turn,
      tool_tasks: words.toolTasks(phase, outcome),
      task_tools: words.taskTools(phase, outcome),
      taskd: words.taskd(phase, outcome, selected),
      shell: words.shell(phase, outcome, requeued),
      background_task: words.backgroundTask(phase, outcome, running_turn),
    }).toStrictEqual(row);
  }
});
