/** The HTTP requests of the pages. */

import type { Channel, ExecutionMode, Json, LogEnd, Outcome, Phase, TaskResourceUsage, ToolTaskSpawned } from '../frames/frames';
import { EventReader } from '../page/events';

export const STATUSES = ['queued', 'running', 'exited', 'cancelled', 'failed'] as const;
export type Status = (typeof STATUSES)[number];

/** By what a list is filtered: a status, or a part of one. */
export const STANDINGS = [...STATUSES, 'awaiting_input', 'succeeded', 'unsuccessful'] as const;
export type Standing = (typeof STANDINGS)[number];

export function isStanding(word: string): word is Standing {
  return (STANDINGS as readonly string[]).includes(word);
}

export interface Task {
  readonly task_id: string;
  readonly status: Status;
  readonly tool: string;
  readonly title: string | null;
  readonly label: string | null;
  readonly origin_session_id: string | null;
  readonly execution_mode: ExecutionMode;
  readonly exit_code: number | null;
  readonly signal: number | null;
  readonly started_at_ms: number | null;
  readonly ended_at_ms: number | null;
  readonly artifacts: { readonly logs: Partial<Record<Channel, LogEnd>> };
  readonly error: string | null;
  readonly phase: Phase;
  readonly outcome: Outcome | null;
  readonly next_seq: number;
  /** The last line of its newest output; in lists only. */
  readonly last_line?: string;
  /** The task that asked for it. */
  readonly parent_task_id: string | null;
  /** The name that it shares with the tasks of the same batch. */
  readonly batch: string | null;
  /** The agent program of an agent task, and the newest thing that it said or did, shortened; null of a task that runs a command. */
  readonly agent: { readonly profile: string; readonly latest: string | null } | null;
}

/** One page of a list. */
export interface Page<T> {
  readonly rows: readonly T[];
  /** Where the next page begins; null after the last. */
  readonly next: string | null;
}

/** A range of missing bytes of an output, end exclusive, and the lines that it touches, from 1, end inclusive. */
export interface Missing {
  readonly from: number;
  readonly to: number;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** A refused request, with the server's message. Status 0: the server did not answer. */
export class Refusal extends Error {
  readonly status: number;
  /** The missing part of an output, if that is the reason; else null. */
  readonly missing: Missing | null;

  constructor(status: number, message: string, missing: Missing | null = null) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.missing = missing;
  }

  /** Whether the same request may succeed later. */
  get passes(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

const ANSWER_WITHIN_MS = 10_000;
const EVENTS_WITHIN_MS = 40_000; // the server sends a heartbeat every 15 s
const NO_ANSWER = 'Cannot reach the server. Is it running?';

interface Refused {
  message?: string;
  details?: Readonly<Record<string, string>>;
}

/** Sends a request; rejects with a {@link Refusal} unless the server answers that it succeeded. */
export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS), ...init });
  } catch {
    throw new Refusal(0, NO_ANSWER);
  }
  if (response.ok) return response;
  const answer = (await response.json().catch(() => null)) as { error?: Refused } | null;
  const message = answer?.error?.message ?? `The server answered with ${response.status}.`;
  throw new Refusal(response.status, message, missingIn(answer?.error?.details ?? {}));
}

function missingIn(details: Readonly<Record<string, string>>): Missing | null {
  const { missing_offset_bytes: from, first_offset_bytes: to, missing_line: line, first_line: next } = details;
  return from === undefined || to === undefined || line === undefined || next === undefined
    ? null
    : { from: Number(from), to: Number(to), firstLine: Number(line), lastLine: Number(next) - 1 };
}

export async function post(path: string, body: Json, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return ask(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
}

export async function openSession(token: string): Promise<void> {
  await ask('/session', { method: 'POST', headers: { authorization: `Bearer ${token}` } });
}

export async function closeSession(): Promise<void> {
  await ask('/session', { method: 'DELETE' });
}

export async function listTasks(query: Readonly<Record<string, string>>): Promise<Page<Task>> {
  return pageOf('/tasks', query);
}

/** How many of the newest tasks are in which state. */
export type TaskCounts = { readonly [word in Standing | 'all']: number } & { readonly truncated: boolean };

export async function countTasks(query: Readonly<Record<string, string>>): Promise<TaskCounts> {
  return (await (await ask(`/tasks/counts?${queryOf(query)}`)).json()) as TaskCounts;
}

/** What has changed in a list of tasks: rows, and the ids of tasks that do not match any more. Without both, the list is read again. */
export interface TaskListChange {
  readonly tasks?: readonly Task[];
  readonly gone?: readonly string[];
  /** Whether a session has changed. */
  readonly sessions?: boolean;
}

export function taskChanges(
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
  answered: () => void,
): AsyncGenerator<TaskListChange, void> {
  return framesAt(`/tasks/changes?${queryOf(query)}`, signal, answered) as AsyncGenerator<Json, void> as AsyncGenerator<TaskListChange, void>;
}

/** Empty parameters are left out. */
function queryOf(query: Readonly<Record<string, string>>): string {
  return new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
}

/** Reads a page of a list; empty parameters are left out. */
export async function pageOf<T>(path: string, query: Readonly<Record<string, string>>): Promise<Page<T>> {
  const answer = await ask(`${path}?${queryOf(query)}`);
  return { rows: (await answer.json()) as T[], next: cursorIn(answer.headers.get('link')) };
}

/** The cursor in the address of the next page. */
export function cursorIn(link: string | null): string | null {
  const [, query] = /^<[^>?]*\?([^>]*)>; rel="next"$/.exec(link ?? '') ?? [];
  return query === undefined ? null : new URLSearchParams(query).get('cursor');
}

export async function taskOf(id: string): Promise<Task> {
  return (await (await ask(`/tasks/${encodeURIComponent(id)}`)).json()) as Task;
}

/** @param name the idempotency key: sent again with the same key, the task is started once */
export async function spawn(body: Json, name: string): Promise<string> {
  const answer = await post('/tasks', body, { 'idempotency-key': name });
  return ((await answer.json()) as { task_id: string }).task_id;
}

export async function cancelTask(id: string, reason: string): Promise<void> {
  await post(`/tasks/${encodeURIComponent(id)}/cancel`, { reason });
}

/** Deletes the stored outputs of an ended task; its record stays. */
export async function deleteOutputs(task: Task): Promise<void> {
  for (const channel of Object.keys(task.artifacts.logs) as Channel[])
    await ask(outputAddress(task.task_id, channel), { method: 'DELETE' });
}

/** Removes an ended task from lists, and deletes its outputs. */
export async function removeTask(id: string): Promise<void> {
  await ask(`/tasks/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

/** Sends a signal to the process group of the task's program. */
export async function signalTask(id: string, signal: 'INT' | 'KILL'): Promise<void> {
  await post(`/tasks/${encodeURIComponent(id)}/signal`, { signal });
}

/** Lines of an output, counted from 1: a range of their bytes, and the number of bytes of all of them. Past the end there are fewer lines. */
export async function linesOf(
  id: string,
  channel: Channel,
  first: number,
  last: number,
  range: string,
): Promise<{ bytes: Uint8Array; all: number }> {
  const answer = await ask(`${outputAddress(id, channel)}?lines=${first}-${last}`, { headers: { range } });
  const [, all] = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '') ?? [];
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return { bytes, all: Number(all ?? bytes.length) };
}

/** The bytes of an output from one offset to before another, as far as they exist. */
export async function outputRange(
  id: string,
  channel: Channel,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  try {
    const answer = await ask(outputAddress(id, channel), { headers: { range: `bytes=${from}-${to - 1}` }, signal });
    return new Uint8Array(await answer.arrayBuffer());
  } catch (refused) {
    if (refused instanceof Refusal && refused.status === 416) return new Uint8Array();
    throw refused;
  }
}

/** The screen right after a frame, as bytes for a terminal, and its size. */
export async function screenAt(id: string, seq: number): Promise<{ rows: number; cols: number; ansi: Uint8Array }> {
  const path = `/tasks/${encodeURIComponent(id)}/screen?screen_at=${seq}`;
  const [ansi, size] = await Promise.all([
    ask(`${path}&format=ansi`).then((answer) => answer.arrayBuffer()),
    ask(`${path}&format=json&scrollback=0`).then((answer) => answer.json() as Promise<{ rows: number; cols: number }>),
  ]);
  return { rows: size.rows, cols: size.cols, ansi: new Uint8Array(ansi) };
}

/** The text on the screen right after a frame. */
export async function screenTextAt(id: string, seq: number): Promise<string> {
  return (await ask(`/tasks/${encodeURIComponent(id)}/screen?screen_at=${seq}&format=text&scrollback=0`)).text();
}

/** When a frame of a task was recorded. */
export async function timeOf(id: string, seq: number): Promise<number> {
  return ((await frameOf(id, seq)) as { timestamp_ms: number }).timestamp_ms;
}

/** One frame of a task. */
export async function frameOf(id: string, seq: number): Promise<Json> {
  return firstOf((signal) => events(id, seq, signal), `The task has no frame ${seq}.`);
}

/** The first frame of a stream, which is read no further. */
export async function firstOf(stream: (signal: AbortSignal) => AsyncGenerator<Json>, none: string): Promise<Json> {
  const enough = new AbortController();
  try {
    for await (const frame of stream(enough.signal)) return frame;
    throw new Refusal(404, none);
  } finally {
    enough.abort();
  }
}

/** Checks that a resource exists; throws the server's refusal if not. */
export async function reach(path: string): Promise<void> {
  await ask(path, { method: 'HEAD' });
}

/** The current end of an output: `bytes` counts from the line `from` on, the first from which on none is missing. */
export async function outputEnd(
  id: string,
  channel: Channel,
  from = 1,
): Promise<{ lines: number; bytes: number; from: number }> {
  const path = `${outputAddress(id, channel)}?lines=${from}-`;
  try {
    const { headers } = await ask(path, { method: 'HEAD' });
    const [, last] = /-(\d+)$/.exec(headers.get('x-penstock-lines') ?? '') ?? [];
    return { lines: last === undefined ? from - 1 : Number(last), bytes: Number(headers.get('content-length') ?? 0), from };
  } catch (refused) {
    if (!(refused instanceof Refusal) || refused.status !== 410) throw refused;
    return outputEnd(id, channel, await lineBehind(path, from));
  }
}

/** A response to HEAD has no body, but the body has the number of the line. */
async function lineBehind(path: string, from: number): Promise<number> {
  try {
    await ask(path, { headers: { range: 'bytes=0-0' } });
    return from;
  } catch (refused) {
    if (!(refused instanceof Refusal) || refused.missing === null) throw refused;
    return refused.missing.lastLine + 1;
  }
}

const SAME_END_TRIES = 5;

/** The current end of an output, in bytes and lines from its start, including missing ones. */
export async function wholeEnd(id: string, channel: Channel): Promise<{ lines: number; bytes: number }> {
  let end = await outputEnd(id, channel);
  if (end.from === 1) return end;
  for (let tries = 1; ; tries++) {
    const bytes = await bytesOf(id, channel);
    end = await outputEnd(id, channel, end.from);
    // Both are of the same moment, unless the output grows all the time.
    if (tries === SAME_END_TRIES || bytes === (await bytesOf(id, channel))) return { lines: end.lines, bytes };
  }
}

/** Known from the last byte, if there is any. */
async function bytesOf(id: string, channel: Channel): Promise<number> {
  const answer = await ask(outputAddress(id, channel), { headers: { range: 'bytes=-1' } });
  const [, all] = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '') ?? [];
  return Number(all ?? 0);
}

export function outputAddress(id: string, channel: Channel): string {
  return `/tasks/${encodeURIComponent(id)}/output/${channel}`;
}

/** The address of the stored part of an output, whose beginning may have been removed. */
export function keptAddress(id: string, channel: Channel): string {
  return `${outputAddress(id, channel)}?kept=1`;
}

/** The frames of a task from this one on, as they come, until the task has ended or the signal aborts. */
export function events(id: string, fromSeq: number, signal: AbortSignal, answered?: () => void): AsyncGenerator<Json, void> {
  return framesAt(`/tasks/${encodeURIComponent(id)}/events?until=end&text=none&from_seq=${fromSeq}`, signal, answered);
}

/**
 * Frames as JSON, as the server sends them, until it closes the stream or the signal aborts. Throws a {@link Refusal} when the connection
 * is dead although nothing closed it: the laptop slept, or a network in between forgot it.
 *
 * @param answered is called when the server begins to respond
 */
export async function* framesAt(
  path: string,
  signal: AbortSignal,
  answered: () => void = () => undefined,
): AsyncGenerator<Json, void> {
  const dead = new AbortController();
  const alive = <T>(coming: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Refusal(0, NO_ANSWER));
        dead.abort();
      }, EVENTS_WITHIN_MS);
      coming.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  const response = await alive(ask(path, { signal: AbortSignal.any([signal, dead.signal]) }));
  answered();
  const reader = new EventReader();
  const pieces = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  while (pieces !== undefined) {
    const piece = await alive(pieces.read());
    if (piece.done) return;
    for (const event of reader.read(piece.value)) yield JSON.parse(event.data) as Json;
  }
}

/** The verdicts of policy on a task, as sentences. */
export async function policyOf(id: string): Promise<string[]> {
  const answer = (await (await ask(`/tasks/${encodeURIComponent(id)}/policy`)).json()) as { verdicts: { explanation: string }[] };
  return answer.verdicts.map(({ explanation }) => explanation);
}

/** What the processes of a task used, as a frame of it says. */
export type UsageSample = Pick<
  TaskResourceUsage,
  'seq' | 'timestamp_ms' | 'cpu_ms' | 'cpu_percent' | 'over_ms' | 'memory_bytes' | 'memory_peak_bytes' | 'processes'
>;

/** The samples in a number of frames, and the frame after these; null after the last. */
export interface UsagePage {
  readonly samples: readonly UsageSample[];
  readonly next_seq: number | null;
}

export async function usageFrom(id: string, seq: number): Promise<UsagePage> {
  return (await (await ask(`/tasks/${encodeURIComponent(id)}/usage?from_seq=${seq}`)).json()) as UsagePage;
}

/** The frame that records the request of a task; null for a refused task. */
export async function spawnOf(id: string): Promise<ToolTaskSpawned | null> {
  const enough = new AbortController();
  try {
    for await (const frame of events(id, 0, enough.signal)) {
      const first = frame as unknown as ToolTaskSpawned;
      return first.type === 'tool_task_spawned' ? first : null;
    }
    return null;
  } finally {
    enough.abort();
  }
}
