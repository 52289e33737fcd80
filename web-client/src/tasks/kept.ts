import type { Pages } from '../page/pages';
import { uniqueName } from '../page/unique';
import type { Task } from '../server/api';

/** A list as it was when its page was left: its rows, their heights, and how far it was scrolled. */
export interface KeptList {
  readonly pages: Pages<Task>;
  readonly heights: readonly number[];
  readonly scrolled: number;
}

const MOST = 5;
const kept = new Map<string, KeptList>();
let here = '';

/** Gives this place in the browser's history a name, unless it has one. */
export function namePlace(): void {
  const state = history.state as { list?: string } | null;
  here = state?.list ?? uniqueName();
  if (state?.list === undefined) history.replaceState({ list: here }, '');
}

/** The list of this place in the browser's history, if the user comes back to it. */
export function keptList(session: string | null): KeptList | undefined {
  namePlace();
  return kept.get(keyOf(session));
}

/** Keeps the list for when the user comes back. */
export function keepList(session: string | null, list: KeptList): void {
  kept.delete(keyOf(session));
  kept.set(keyOf(session), list);
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST) return;
    kept.delete(oldest);
  }
}

function keyOf(session: string | null): string {
  return `${here} ${session ?? ''}`;
}
