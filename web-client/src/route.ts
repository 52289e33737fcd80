/** The views of the page, and their addresses after `#`. */

/** The views of a task. */
export const TABS = ['conversation', 'output', 'replay', 'timeline', 'watchers', 'files'] as const;
export type Tab = (typeof TABS)[number];

/** The views of a session. */
export const SESSION_TABS = ['tasks', 'mailbox', 'timeline'] as const;
export type SessionTab = (typeof SESSION_TABS)[number];

/** The filter of a list of tasks; an empty field filters nothing. */
export interface Wanted {
  readonly text: string;
  readonly status: string;
  readonly session: string;
  readonly label: string;
}

export const ANY: Wanted = { text: '', status: '', session: '', label: '' };

export type Route =
  | { page: 'tasks'; wanted: Wanted }
  /** The tab is null for the usual view of the task; NaN stands for a number that no frame can have. */
  | { page: 'task'; id: string; tab: Tab | null; seq: number | null }
  | { page: 'sessions' }
  | { page: 'session'; id: string; tab: SessionTab; seq: number | null; wanted: Wanted }
  /** Several tasks side by side. */
  | { page: 'split'; ids: readonly string[] }
  | { page: 'server' };

export const MOST_SPLITS = 4;

export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [first, id = '', tab] = path.split('/');
  if (first === 'server') return { page: 'server' };
  const ids = first === 'split' ? path.split('/').slice(1).filter((each) => each !== '') : [];
  if (ids.length > 0) return { page: 'split', ids: ids.slice(0, MOST_SPLITS).map(decoded) };
  const seq = seqOf(query);
  // A frame without a view is shown in the timeline.
  const named = <T extends string, U>(tabs: readonly T[], usual: U, ofFrame: T): T | U =>
    tabs.find((each) => each === tab) ?? (seq === null ? usual : ofFrame);
  if (first === 'sessions' && id === '') return { page: 'sessions' };
  if (first === 'sessions')
    return {
      page: 'session',
      id: decoded(id),
      tab: named<SessionTab, SessionTab>(SESSION_TABS, 'tasks', 'timeline'),
      seq,
      wanted: { ...wantedOf(query), session: '' },
    };
  if (first !== 'tasks' || id === '') return { page: 'tasks', wanted: wantedOf(first === 'tasks' ? query : '') };
  return { page: 'task', id: decoded(id), tab: named(TABS, null, 'timeline'), seq };
}

function seqOf(query: string): number | null {
  const given = new URLSearchParams(query).get('seq');
  return given === null ? null : /^\d{1,15}$/.test(given) ? Number(given) : NaN;
}

export function addressOf(route: Route): string {
  switch (route.page) {
    case 'tasks':
      return withQuery('#/tasks', { ...route.wanted });
    case 'sessions':
      return '#/sessions';
    case 'session': {
      const path = `#/sessions/${encodeURIComponent(route.id)}${route.tab === 'tasks' ? '' : `/${route.tab}`}`;
      return withQuery(path, route.seq === null ? { ...route.wanted, session: '' } : { seq: String(route.seq) });
    }
    case 'server':
      return '#/server';
    case 'split':
      return `#/split/${route.ids.map(encodeURIComponent).join('/')}`;
    case 'task': {
      const path = `#/tasks/${encodeURIComponent(route.id)}${route.tab === null ? '' : `/${route.tab}`}`;
      return route.seq === null ? path : `${path}?seq=${route.seq}`;
    }
  }
}

/** The address of a view of a task, by default the usual one, perhaps at one of its frames. */
export function taskAddress(id: string, tab: Tab | null = null, seq: number | null = null): string {
  return addressOf({ page: 'task', id, tab, seq });
}

/** The address that shows where a watcher matched: the line of a log, or the screen in a replay. */
export function hitAddress(id: string, channel: string, seq: number): string {
  return taskAddress(id, channel === 'pty' ? 'replay' : 'output', seq);
}

/** The address of a view of a session, perhaps at one of its frames. */
export function sessionAddress(id: string, tab: SessionTab = 'tasks', seq: number | null = null): string {
  return addressOf({ page: 'session', id, tab, seq, wanted: ANY });
}

function withQuery(path: string, fields: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')).toString();
  return query === '' ? path : `${path}?${query}`;
}

function wantedOf(query: string): Wanted {
  const given = new URLSearchParams(query);
  const of = (name: keyof Wanted): string => given.get(name) ?? '';
  return { text: of('text'), status: of('status'), session: of('session'), label: of('label') };
}

/** The access token of a link, which must not stay in the address. */
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
