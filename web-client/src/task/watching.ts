import type { Rights } from '../attach/wire';

const KEY = 'penstock.watches.';

/** The rights that this window uses for the task, as the user chose; kept on reload. */
export function rightsOf(id: string): Rights {
  return sessionStorage.getItem(KEY + id) === null ? 'control' : 'view';
}

export function keepRights(id: string, rights: Rights): void {
  if (rights === 'view') sessionStorage.setItem(KEY + id, rights);
  else sessionStorage.removeItem(KEY + id);
}
