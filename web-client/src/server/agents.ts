/** The requests that concern agents. */

import type { Json } from '../frames/frames';
import { ask, type Task } from './api';

const TOOL_WITHIN_MS = 60_000; // an agent that has just started takes a message after 20 s at the latest, one at work after another 10

async function call(tool: string, parameters: Json, name: string): Promise<Json> {
  const answer = await ask(`/tools/${tool}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': name },
    body: JSON.stringify(parameters),
    signal: AbortSignal.timeout(TOOL_WITHIN_MS),
  });
  return (await answer.json()) as Json;
}

/** The session that the tools take for a task's own. */
function sessionOf({ origin_session_id: session }: Task): { [name: string]: Json } {
  return session === null ? {} : { session_id: session };
}

/**
 * Sends an agent at work a message; completes with whether the agent has it already.
 *
 * @param name the idempotency key
 */
export async function steer(task: Task, message: string, name: string): Promise<boolean> {
  const answer = await call('task_steer', { task_id: task.task_id, message, ...sessionOf(task) }, name);
  return (answer as { delivered: boolean }).delivered;
}

/** Continues the conversation of an agent that has finished, by another run of its task. */
export async function resume(task: Task, prompt: string, name: string): Promise<void> {
  await call('background_task', { resume: task.task_id, prompt, ...sessionOf(task) }, name);
}

/** Answers an open question. @param token the answer token; null where the server asks for none */
export async function answer(id: string, allow: boolean, reason: string, token: string | null): Promise<void> {
  await ask(`/tasks/${encodeURIComponent(id)}/answer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ allow, reason }),
  });
}
