/** The words that the page uses for sessions and mailbox items. */

import type { ToolEnded } from '../frames/frames';
import type { Session } from '../server/sessions';
import { moodOf, stateOf, type Mood } from '../tasks/words';

/** The names of a task in a frame of its session. */
interface Named {
  readonly task_id: string;
  readonly title?: string | null;
  readonly label?: string | null;
  readonly tool_name?: string;
  readonly name?: string | null;
}

/** The task's title, else its label, else its tool and the beginning of its id. */
export function nameOfItem({ task_id, title, label, tool_name, name }: Named): string {
  if (title != null && title.trim() !== '') return title;
  return label ?? `${tool_name ?? name ?? 'task'} ${task_id.slice(0, 8)}`;
}

export function stateOfEnd(end: Pick<ToolEnded, 'outcome' | 'exit_code'>): string {
  return stateOf(ended(end));
}

export function moodOfEnd(end: Pick<ToolEnded, 'outcome' | 'exit_code'>): Mood {
  return moodOf(ended(end));
}

/** A session's frame has no signal; 128 + n says it where there was one. */
function ended({ outcome, exit_code }: Pick<ToolEnded, 'outcome' | 'exit_code'>): Parameters<typeof stateOf>[0] {
  return { phase: 'ended', outcome, exit_code, signal: null, started_at_ms: null };
}

/** The tasks of a session that have not ended; queued ones too. */
export function runningIn({ tasks_started, tasks_ended }: Pick<Session, 'tasks_started' | 'tasks_ended'>): number {
  return Math.max(0, tasks_started - tasks_ended);
}

export function standingOf(session: Pick<Session, 'status' | 'tasks_started' | 'tasks_ended'>): {
  readonly text: string;
  readonly mood: Mood;
} {
  if (runningIn(session) > 0) return { text: 'Running', mood: 'busy' };
  return session.status === 'ended' ? { text: 'Ended', mood: 'idle' } : { text: 'Open', mood: 'good' };
}

/** A number with its noun. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
