/** Where one is, as the address says it after `#`. */
export type Tab = 'output' | 'replay' | 'timeline' | 'files';

/** Which tasks a list is to show; what is empty may be anything. */
export interface Wanted {
  readonly text: string;
  readonly status: string;
  readonly session: string;
  readonly label: string;
}

export const ANY: Wanted = { text: '', status: '', session: '', label: '' };

export type Route =
  | { page: 'tasks'; wanted: Wanted }
  | { page: 'task'; id: string; tab: Tab; seq: number | null } // NaN is the number of no frame, whatever the address says
  | { page: 'server' };

export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [first, id, tab] = path.split('/');
  if (first === 'server') return { page: 'server' };
  if (first !== 'tasks' || id === undefined || id === '') return { page: 'tasks', wanted: wantedOf(first === 'tasks' ? query : '') };
  const given = new URLSearchParams(query).get('seq');
  const seq = given === null ? null : /^\d{1,15}$/.test(given) ? Number(given) : NaN;
  // A place in the record is seen in the record.
  const named: Tab =
    tab === 'replay' || tab === 'timeline' || tab === 'files' ? tab : seq === null ? 'output' : 'timeline';
  return { page: 'task', id: decoded(id), tab: named, seq };
}

export function addressOf(route: Route): string {
  switch (route.page) {
    case 'tasks': {
      const given = new URLSearchParams(Object.entries(route.wanted).filter(([, value]) => value !== '')).toString();
      return given === '' ? '#/tasks' : `#/tasks?${given}`;
    }
    case 'server':
      return '#/server';
    case 'task': {
      const path = `#/tasks/${encodeURIComponent(route.id)}${route.tab === 'output' ? '' : `/${route.tab}`}`;
      return route.seq === null ? path : `${path}?seq=${route.seq}`;
    }
  }
}

function wantedOf(query: string): Wanted {
  const given = new URLSearchParams(query);
  const of = (name: keyof Wanted): string => given.get(name) ?? '';
  return { text: of('text'), status: of('status'), session: of('session'), label: of('label') };
}

/** The access token that a link brought, which must not stay in the address. */
export function tokenOf(hash: string): string | null {
  const [, token] = /^#token=(.+)$/.exec(hash) ?? [];
  return token === undefined ? null : decoded(token);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
