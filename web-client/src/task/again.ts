import type { Json, ToolTaskSpawned } from '../frames/frames';
import { uniqueName } from '../page/unique';
import { Refusal, spawn, spawnOf } from '../server/api';

/** The request that started a task, as far as its record has it: values of its environment are never recorded. */
export function requestOf(spec: ToolTaskSpawned): { readonly [name: string]: Json } {
  const { env: _, ...args } = spec.args;
  return {
    tool: spec.tool_name,
    title: spec.title,
    label: spec.label ?? null,
    origin_session_id: spec.origin_session_id,
    execution_mode: spec.execution_mode,
    ...(spec.on_lost == null || spec.execution_mode === 'pty' ? {} : { on_lost: spec.on_lost }),
    ...(spec.stdin_open === true && spec.execution_mode === 'pipes' ? { stdin: 'open' } : {}),
    args,
  };
}

/** The command as a shell reads it: the words of a program are quoted where they need it. */
export function shellOf({ args }: Pick<ToolTaskSpawned, 'args'>): string {
  const { command, argv } = args;
  if (typeof command === 'string' || !Array.isArray(argv)) return typeof command === 'string' ? command : '';
  return argv.map((word) => (/^[\w@%+=:,./-]+$/.test(String(word)) ? String(word) : `'${String(word).replaceAll("'", `'\\''`)}'`)).join(' ');
}

/** The names of the variables that were added to the task's environment. */
export function environmentOf({ args }: Pick<ToolTaskSpawned, 'args'>): readonly string[] {
  return Array.isArray(args['env']) ? args['env'].map(String) : [];
}

/** Whether the same can be run by the record alone. */
export function isRepeatable(spec: ToolTaskSpawned): boolean {
  return (spec.agent ?? null) === null && environmentOf(spec).length === 0;
}

/** Runs the command of a task as another task, and returns its id. */
export async function runAgain(id: string): Promise<string> {
  const spec = await spawnOf(id);
  if (spec === null) throw new Refusal(404, 'The task was refused, so there is nothing to run again.');
  if ((spec.agent ?? null) !== null) throw new Refusal(409, 'An agent is not run again: send it a message instead.');
  if (!isRepeatable(spec)) {
    const names = environmentOf(spec).join(', ');
    throw new Refusal(409, `The values of ${names} are not recorded. Open the task and choose Edit and run.`);
  }
  return spawn(requestOf(spec), uniqueName());
}
