import { plain } from '../log/ansi';
import { element, say } from '../page/element';
import { addressOf, ANY, taskAddress } from '../route';
import type { Task } from '../server/api';
import type { Picks } from './picks';
import type { RowActions } from './row-actions';
import { ago, iconOf, labelOf, moodOf, nameOf, outputSize, runningTime, stateOf, when } from './words';

/** What the rows of a list share. */
export interface RowHost {
  readonly actions: RowActions;
  readonly picks: Picks;
  /** Whether the list is of one session, which its rows need not name. */
  readonly inSession: boolean;
}

/** A task as two lines of the list. */
export interface Row {
  readonly root: HTMLLIElement;
  update(task: Task, now: number): void;
}

export function newRow(first: Task, { actions, picks, inSession }: RowHost): Row {
  let shown = first;
  const id = first.task_id;
  const state = element('span', { className: 'state' });
  const stateWord = element('span', { className: 'unseen' });
  const name = element('span', { className: 'name' });
  const label = element('a', { className: 'label', title: 'All tasks with this label' });
  const mode = element('span', { className: 'mode' });
  const last = element('span', { className: 'last' });
  const started = element('span', { className: 'figure started' });
  const time = element('span', { className: 'figure time' });
  const size = element('span', { className: 'figure size' });
  const pick = element('input', { type: 'checkbox', className: 'pick', tabIndex: -1 });
  pick.addEventListener('change', () => picks.toggle(id, pick.checked));
  const what = element(
    'div',
    { className: 'what' },
    element('a', { className: 'row', href: taskAddress(id) }, stateWord, name),
    label,
  );
  if (first.origin_session_id !== null && !inSession) what.append(sessionOf(first.origin_session_id));
  what.append(mode);
  const root = element(
    'li',
    { className: 'task-row', role: 'listitem' }, // named, because the list of its page has no role
    pick,
    state,
    what,
    started,
    time,
    last,
    size,
    actions.buttons(() => shown),
  );
  root.dataset['id'] = id;
  return {
    root,
    update: (task, now) => {
      shown = task;
      state.dataset['mood'] = moodOf(task);
      state.dataset['icon'] = iconOf(task);
      say(state, stateOf(task));
      say(stateWord, `${stateOf(task)} `);
      say(name, nameOf(task));
      if (name.title !== name.textContent) name.title = name.textContent;
      say(label, labelOf(task));
      if (task.label !== null) label.href = addressOf({ page: 'tasks', wanted: { ...ANY, label: task.label } });
      say(mode, task.agent != null ? `agent ${task.agent.profile}` : task.execution_mode === 'pty' ? 'terminal' : '');
      say(last, lastOf(task));
      say(started, ago(task.started_at_ms, now));
      const absolute = when(task.started_at_ms);
      if (started.title !== absolute) started.title = absolute;
      say(time, runningTime(task, now));
      say(size, outputSize(task));
      pick.checked = picks.has(id);
      pick.ariaLabel = `Select ${nameOf(task)}`;
      root.dataset['ended'] = String(task.outcome !== null);
    },
  };
}

function lastOf(task: Task): string {
  return task.agent == null ? (task.last_line ?? '') : plain(task.agent.latest ?? '').replaceAll(/\s+/g, ' ');
}

/** The session of a task, as a link to all its tasks. */
function sessionOf(session: string): HTMLAnchorElement {
  return element(
    'a',
    {
      className: 'session',
      href: addressOf({ page: 'tasks', wanted: { ...ANY, session } }),
      title: `Only tasks of the session ${session}`,
    },
    element('span', { className: 'unseen' }, 'Session '),
    session,
  );
}
