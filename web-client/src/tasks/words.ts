/** The words that the page uses for tasks. */

import type { Standing, Task } from '../server/api';
import { bytes, duration } from '../server/health';

const SIGKILL = 9;

export type Mood = 'good' | 'poor' | 'bad' | 'busy' | 'idle' | 'waits';

/** Its title, else its label, else its tool and the beginning of its id. */
export function nameOf(task: Task): string {
  return task.title !== null && task.title.trim() !== ''
    ? task.title
    : task.label ?? `${task.tool} ${task.task_id.slice(0, 8)}`;
}

export function moodOf(task: Pick<Task, 'phase' | 'outcome' | 'started_at_ms'>): Mood {
  switch (task.outcome) {
    case 'succeeded':
      return 'good';
    case 'nonzero':
    case 'failed':
    case 'lost':
      return 'bad';
    case 'cancelled':
    case 'timed_out':
      return 'poor';
    case null:
      return task.phase === 'queued' || task.phase === 'starting'
        ? 'idle'
        : task.phase === 'stopping' || asksPolicy(task)
          ? 'poor'
          : task.phase === 'awaiting_input'
            ? 'waits'
            : 'busy';
  }
}

/** Whether policy has yet to decide if the task may run. A program that waits for input has been started. */
function asksPolicy(task: Pick<Task, 'phase' | 'started_at_ms'>): boolean {
  return task.phase === 'awaiting_input' && task.started_at_ms === null;
}

/** The name of each standing in a filter. */
export const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  queued: 'queued',
  running: 'running',
  exited: 'finished',
  cancelled: 'cancelled',
  failed: 'failed to start',
  awaiting_input: 'waiting for input',
  succeeded: 'succeeded',
  unsuccessful: 'failed',
};

/** The names of signals by their numbers on Linux, of those that end programs. */
const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
};

/** The name of a signal by its number. */
export function signalOf(signal: number): string {
  return SIGNALS[signal] ?? `signal ${signal}`;
}

type Stated = Pick<Task, 'phase' | 'outcome' | 'exit_code' | 'signal' | 'started_at_ms'>;

/** The state of a task in a few words. */
export function stateOf(task: Stated): string {
  switch (task.outcome) {
    case 'succeeded':
      return 'Succeeded';
    case 'nonzero':
      return task.signal === null ? `Failed (${task.exit_code ?? '?'})` : `Killed (${signalOf(task.signal)})`;
    case 'failed':
      return 'Failed';
    case 'lost':
      return 'Lost';
    case 'cancelled':
      return task.signal === SIGKILL ? 'Killed' : 'Stopped';
    case 'timed_out':
      return 'Timed out';
    case null:
      return asksPolicy(task) ? 'Needs approval' : PHASES[task.phase];
  }
}

const PHASES: Readonly<Record<Task['phase'], string>> = {
  absent: 'Unknown',
  queued: 'Queued',
  starting: 'Starting',
  running: 'Running',
  awaiting_input: 'Waiting for input',
  idle: 'Idle',
  stopping: 'Stopping',
  ended: 'Ended',
};

/** The shape that stands before the state, for people who do not see its colour. */
export function iconOf(task: Stated): string {
  switch (task.outcome) {
    case 'succeeded':
      return 'ok';
    case 'nonzero':
    case 'failed':
      return 'failed';
    case 'lost':
      return 'lost';
    case 'cancelled':
      return task.signal === SIGKILL ? 'killed' : 'stopped';
    case 'timed_out':
      return 'timeout';
    case null:
      return asksPolicy(task) ? 'asks' : ICONS[task.phase];
  }
}

const ICONS: Readonly<Record<Task['phase'], string>> = {
  absent: 'queued',
  queued: 'queued',
  starting: 'starting',
  running: 'running',
  awaiting_input: 'input',
  idle: 'queued',
  stopping: 'stopped',
  ended: 'stopped',
};

/** The end of a task, as a sentence. */
export function endOf(
  task: Pick<Task, 'outcome' | 'exit_code' | 'signal' | 'error' | 'started_at_ms' | 'ended_at_ms'>,
): string {
  const time = timeOf(task);
  const took = time === null ? '' : ` after ${time}`;
  switch (task.outcome) {
    case 'succeeded':
      return time === null ? 'Succeeded.' : `Succeeded in ${time}.`;
    case 'nonzero':
      return task.signal === null
        ? `Failed with exit code ${task.exit_code ?? '?'}${took}.`
        : `Killed by ${signalOf(task.signal)}${took}.`;
    case 'failed':
      return `Could not run: ${task.error ?? 'no reason was recorded'}.`;
    case 'lost':
      return `Lost: ${withoutLost(task.error ?? 'the server ended before the task did')}.`;
    case 'cancelled':
      return task.error === null && task.signal === SIGKILL ? `Killed${took}.` : `Stopped${took}.${alsoSaid(task)}`;
    case 'timed_out':
      return `Timed out${took}.${alsoSaid(task)}`;
    case null:
      return '';
  }
}

function timeOf({ started_at_ms: start, ended_at_ms: end }: Pick<Task, 'started_at_ms' | 'ended_at_ms'>): string | null {
  return start === null || end === null ? null : duration(end - start);
}

/** The server's note on a stop, such as that KILL was needed. */
function alsoSaid({ error, exit_code }: Pick<Task, 'error' | 'exit_code'>): string {
  return error === null || exit_code === null ? '' : ` ${error}.`; // without an exit code it had not started
}

/** An error without the word "lost", for sentences that begin with it. */
export function withoutLost(error: string): string {
  return error.replace(/^lost: /, '');
}

/** A sentence about output beyond the limit, to follow another one; empty if all is stored. */
export function keptOf(task: Pick<Task, 'artifacts'>): string {
  const cut = Object.values(task.artifacts.logs).find((log) => log.truncated);
  return cut === undefined
    ? ''
    : ` Output limit reached: the first ${bytes(cut.bytes_stored)} of ${bytes(cut.bytes_total)} are stored.`;
}

export function runningTime(task: Pick<Task, 'started_at_ms' | 'ended_at_ms'>, now: number): string {
  if (task.started_at_ms === null) return '–';
  if (task.ended_at_ms !== null) return duration(task.ended_at_ms - task.started_at_ms);
  const seconds = Math.max(0, Math.floor((now - task.started_at_ms) / 1000));
  return seconds === 0 ? '0 s' : duration(seconds * 1000);
}

/** Its label, unless that is its name already. */
export function labelOf(task: Task): string {
  return task.label === null || task.label === nameOf(task) ? '' : task.label;
}

export function outputBytes(task: Pick<Task, 'artifacts'>): number {
  return Object.values(task.artifacts.logs).reduce((sum, log) => sum + log.bytes_total, 0);
}

export function outputSize(task: Pick<Task, 'artifacts'>): string {
  const size = outputBytes(task);
  return size === 0 ? '–' : bytes(size);
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

/** How long ago, in one unit; of more than a week, the day. */
export function ago(ms: number | null, now: number): string {
  if (ms === null) return '–';
  const past = Math.max(0, now - ms);
  if (past < 5 * SECOND) return 'just now';
  if (past < MINUTE) return `${Math.floor(past / SECOND)} s ago`;
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min ago`;
  if (past < DAY) return `${Math.floor(past / HOUR)} h ago`;
  const days = Math.floor(past / DAY);
  return days <= 7 ? `${days} ${days === 1 ? 'day' : 'days'} ago` : dayOf(new Date(ms));
}

/** The day and the time. */
export function when(ms: number | null): string {
  if (ms === null) return '–';
  const then = new Date(ms);
  return `${dayOf(then)} ${timeOfDay(then)}:${two(then.getSeconds())}`;
}

/** The time of today, else the day and the time. */
export function shortTime(ms: number, now: number): string {
  const then = new Date(ms);
  const time = timeOfDay(then);
  return new Date(now).toDateString() === then.toDateString() ? time : `${dayOf(then)} ${time}`;
}

function dayOf(then: Date): string {
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;
}

function timeOfDay(then: Date): string {
  return `${two(then.getHours())}:${two(then.getMinutes())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
