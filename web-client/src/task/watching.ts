import type { Rights } from '../attach/wire';

const KEY = 'penstock.watches.';

/** What this window may do to a task, as was chosen in it; also after a reload. */
export function rightsOf(id: string): Rights {
  return sessionStorage.getItem(KEY + id) === null ? 'control' : 'view';
}

export function keepRights(id: string, rights: Rights): void {
  if (rights === 'view') sessionStorage.setItem(KEY + id, rights);
  else sessionStorage.removeItem(KEY + id);
}
