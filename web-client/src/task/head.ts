import type { Standing } from '../attach/audience';
import { copy } from '../page/clipboard';
import { button, element, say } from '../page/element';
import { visible } from '../page/visible';
import { taskAddress, type Tab } from '../route';
import type { Task } from '../server/api';
import { ago, iconOf, moodOf, nameOf, outputSize, runningTime, stateOf, when } from '../tasks/words';
import { Label, ParentLink, SessionLink } from './label';
import { standingOf } from './standing';

const COPIED_MS = 2_000;
const MARKS = { good: '✓ ', poor: '■ ', bad: '✗ ', busy: '', idle: '', waits: '… ' } as const;

/** What the head of a task offers. */
export interface HeadActions {
  details(): void;
  again(): void;
  edit(): void;
}

/** The head of a task's page: its name and state, what it runs, the state of the connection, and the links to its views. */
export class TaskHead {
  readonly root: HTMLElement;
  readonly #state = element('span', { className: 'state' });
  readonly #name = element('h1', {});
  readonly #label = new Label();
  readonly #session = new SessionLink();
  readonly #parent = new ParentLink();
  readonly #command = element('code', { className: 'command' });
  readonly #copy = iconButton('copy', 'Copy the command', () => void this.#copyCommand());
  readonly #words = element('span', { role: 'status' });
  readonly #again = element('span'); // no `status` role: each second would be read aloud
  readonly #connection = element('span', { className: 'connection' }, this.#words, this.#again);
  readonly #started = element('span', { className: 'figure quiet started' });
  readonly #figures = element('span', { className: 'figure quiet' });
  readonly #tabs = element('nav', { className: 'tabs', ariaLabel: 'Views of the task' });
  readonly #runAgain: HTMLButtonElement;
  readonly #edit: HTMLButtonElement;
  #standing: Standing = { is: 'connecting', attempt: 0 };
  #againAt = 0;
  #isSilent = false;
  #startedAt: number | null = null;

  constructor(others: HTMLElement, stop: HTMLElement, actions: HeadActions) {
    const back = element('a', { className: 'back icon', href: '#/tasks', title: 'All tasks (g)', ariaLabel: 'All tasks' });
    back.dataset['icon'] = 'back';
    const find = iconButton('search', 'Find or do', () => document.querySelector<HTMLElement>('.find')?.click());
    find.classList.add('find-here');
    this.#runAgain = button('Run again', { hidden: true, title: 'Run the same command as another task (r)' }, actions.again);
    this.#edit = button('Edit and run', { hidden: true, title: 'Change it, then run it (e)' }, actions.edit);
    const details = button('Details', { className: 'bare', title: 'Command, folder, limits, times (d)' }, actions.details);
    this.root = element(
      'header',
      { className: 'task-head' },
      back,
      element('div', { className: 'title' }, this.#state, this.#name, this.#label.root, this.#session.root, this.#parent.root),
      element('div', { className: 'head-actions' }, find, details, this.#edit, this.#runAgain, stop),
      element(
        'div',
        { className: 'facts-line' },
        this.#connection,
        others,
        this.#started,
        this.#figures,
        element('span', { className: 'ran' }, this.#command, this.#copy),
      ),
      this.#tabs,
    );
  }

  /** Shows the state of the task, in the title of the browser's tab too. */
  show(task: Task, command: string, canRunAgain: boolean): void {
    const mood = moodOf(task);
    document.title = `${MARKS[mood]}${visible(nameOf(task))} · Penstock`;
    say(this.#name, nameOf(task));
    this.#name.title = visible(nameOf(task));
    this.#label.update(task);
    this.#session.update(task);
    this.#parent.update(task);
    this.#state.dataset['mood'] = mood;
    this.#state.dataset['icon'] = iconOf(task);
    say(this.#state, stateOf(task));
    say(this.#command, command.replaceAll(/\s*\n\s*/g, ' ⏎ '));
    this.#command.title = visible(command);
    this.#copy.hidden = command === '';
    this.#startedAt = task.started_at_ms;
    this.#started.title = when(task.started_at_ms);
    say(this.#figures, `${runningTime(task, Date.now())} · ${outputSize(task)}`);
    this.#runAgain.hidden = this.#edit.hidden = task.outcome === null || !canRunAgain;
    this.#sayStarted();
  }

  #sayStarted(): void {
    say(this.#started, this.#startedAt === null ? '' : ago(this.#startedAt, Date.now()));
  }

  async #copyCommand(): Promise<void> {
    const isDone = await copy(this.#command.title).then(() => true, () => false);
    this.#copy.dataset['icon'] = isDone ? 'done' : 'copy';
    this.#copy.title = isDone ? 'Copied' : 'The browser does not let this page copy';
    setTimeout(() => {
      this.#copy.dataset['icon'] = 'copy';
      this.#copy.title = 'Copy the command';
    }, COPIED_MS);
  }

  stand(standing: Standing): void {
    this.#standing = standing;
    this.#isSilent = false;
    if (standing.is === 'waiting') this.#againAt = performance.now() + standing.ms;
    this.tick();
  }

  /** Whether the server answers requests: a server that does not is not live, whatever the state of the connection. */
  answers(does: boolean): void {
    this.#isSilent = !does;
    this.tick();
  }

  /** Updates the countdown to the next attempt. */
  tick(): void {
    this.#sayStarted();
    const standing = this.#standing;
    const { text, again, mood } = standingOf(
      standing.is === 'waiting' ? { ...standing, ms: Math.max(0, this.#againAt - performance.now()) } : standing,
      this.#isSilent,
    );
    say(this.#words, text);
    say(this.#again, again ?? '');
    this.#connection.dataset['mood'] = mood;
  }

  /** The usual view has the address of the task. */
  tabs(id: string, views: readonly (readonly [Tab, string])[], current: Tab, usual: Tab): void {
    if (this.#tabs.childElementCount !== views.length) {
      const links = views.map(([each, text]) =>
        element('a', { href: taskAddress(id, each === usual ? null : each) }, text),
      );
      this.#tabs.replaceChildren(...links);
    }
    [...this.#tabs.children].forEach((each, i) => (each.ariaCurrent = views[i]?.[0] === current ? 'page' : null));
  }
}

function iconButton(icon: string, title: string, act: () => void): HTMLButtonElement {
  const made = button('', { className: 'icon bare', title, ariaLabel: title }, act);
  made.dataset['icon'] = icon;
  return made;
}
