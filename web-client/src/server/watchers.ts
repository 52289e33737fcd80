/** The requests about the watchers of a task. */

import type { Channel, TaskWatcherAdded } from '../frames/frames';
import { ask, post } from './api';

export type Scope = TaskWatcherAdded['scope'];

export interface NewWatcher {
  readonly regex: string;
  readonly event: string;
  readonly stream: Channel | null;
  readonly once: boolean;
  readonly scope: Scope;
  /** The first frame whose output is searched; null searches only the output to come. */
  readonly from_seq: number | null;
}

export interface Watcher extends Omit<NewWatcher, 'from_seq'> {
  readonly watcher_id: string;
  readonly added_by: string;
  /** The frame that records the watcher. */
  readonly seq: number;
}

/** The watchers that were added in the frames that one request searches, and where the next request continues. */
export async function listWatchers(
  id: string,
  fromSeq: number,
): Promise<{ watchers: readonly Watcher[]; next_seq: number | null }> {
  const answer = await ask(`${pathOf(id)}?from_seq=${fromSeq}`);
  return (await answer.json()) as { watchers: readonly Watcher[]; next_seq: number | null };
}

/** @param key sent again with the same key, the watcher is added once */
export async function addWatcher(id: string, watcher: NewWatcher, key: string): Promise<Watcher> {
  return (await (await post(pathOf(id), { ...watcher }, { 'idempotency-key': key })).json()) as Watcher;
}

function pathOf(id: string): string {
  return `/tasks/${encodeURIComponent(id)}/watchers`;
}
