/** The requests about sessions and their mailboxes. */

import type { Json, SessionTaskEnded, SessionWatcherHit, ToolEnded } from '../frames/frames';
import { ask, framesAt, pageOf, post, type Page } from './api';

export interface Session {
  readonly session_id: string;
  readonly status: 'open' | 'ended';
  readonly tasks_started: number;
  readonly tasks_ended: number;
  readonly mailbox_items: number;
  readonly mailbox_waiting: number;
  readonly mailbox_from_seq: number;
  readonly next_seq: number;
}

export interface ListedSession extends Session {
  readonly started_at_ms: number;
  readonly last_at_ms: number;
}

export type MailboxItem = ToolEnded | SessionTaskEnded | SessionWatcherHit;

export interface MailboxPage {
  readonly items: readonly MailboxItem[];
  readonly next_seq: number;
  readonly waiting: number;
}

export async function listSessions(query: Readonly<Record<string, string>>): Promise<Page<ListedSession>> {
  return pageOf('/sessions', query);
}

export async function sessionOf(id: string): Promise<Session> {
  return read(await ask(pathOf(id)));
}

/** A page of the items that are not acknowledged. @param fromSeq where it begins; null is the first item */
export async function mailboxOf(id: string, fromSeq: number | null): Promise<MailboxPage> {
  return read(await ask(`${pathOf(id)}/mailbox${fromSeq === null ? '' : `?from_seq=${fromSeq}`}`));
}

/** Acknowledges all items up to and including this one. */
export async function acknowledge(id: string, throughSeq: number): Promise<Session> {
  return read(await post(`${pathOf(id)}/mailbox/ack`, { through_seq: throughSeq }));
}

export async function endSession(id: string): Promise<Session> {
  return read(await post(`${pathOf(id)}/end`, { reason: 'ended in the browser' }));
}

/** The frames of a session from this one on, as they come. */
export function sessionEvents(
  id: string,
  fromSeq: number,
  signal: AbortSignal,
  answered?: () => void,
): AsyncGenerator<Json, void> {
  return framesAt(`${pathOf(id)}/events?from_seq=${fromSeq}`, signal, answered);
}

function pathOf(id: string): string {
  return `/sessions/${encodeURIComponent(id)}`;
}

async function read<T>(answer: Response): Promise<T> {
  return (await answer.json()) as T;
}
