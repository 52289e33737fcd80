import type { Standing } from '../attach/audience';
import { element, say } from '../page/element';
import { visible } from '../page/visible';
import { taskAddress, type Tab } from '../route';
import type { Task } from '../server/api';
import { moodOf, nameOf, outputSize, runningTime, stateOf } from '../tasks/words';
import { Label, ParentLink, SessionLink } from './label';
import { standingOf } from './standing';

const MARKS = { good: '✓ ', poor: '■ ', bad: '✗ ', busy: '', idle: '', waits: '… ' } as const;

/** The head of a task's page: its name, its state, the state of the connection, and the links to its views. */
export class TaskHead {
  readonly root: HTMLElement;
  readonly #state = element('span', { className: 'state' });
  readonly #name = element('h1', {});
  readonly #label = new Label();
  readonly #session = new SessionLink();
  readonly #parent = new ParentLink();
  readonly #command = element('code', { className: 'command' });
  readonly #words = element('span', { role: 'status' });
  readonly #again = element('span'); // no `status` role: each second would be read aloud
  readonly #connection = element('span', { className: 'connection' }, this.#words, this.#again);
  readonly #figures = element('span', { className: 'figure quiet' });
  readonly #tabs = element('nav', { className: 'segments', ariaLabel: 'Views of the task' });
  #standing: Standing = { is: 'connecting', attempt: 0 };
  #againAt = 0;
  #isSilent = false;

  constructor(others: HTMLElement, stop: HTMLElement) {
    this.root = element(
      'header',
      { className: 'task-head' },
      element('div', { className: 'title' }, this.#state, this.#name, this.#label.root, this.#command),
      element('div', { className: 'facts-line' }, this.#connection, others, this.#figures, this.#parent.root, this.#session.root),
      this.#tabs,
      stop,
    );
  }

  /** Shows the state of the task, in the title of the browser's tab too. */
  show(task: Task, command: string): void {
    const mood = moodOf(task);
    document.title = `${MARKS[mood]}${visible(nameOf(task))} · Penstock`;
    say(this.#name, nameOf(task));
    this.#name.title = visible(nameOf(task));
    this.#label.update(task);
    this.#session.update(task);
    this.#parent.update(task);
    this.#state.dataset['mood'] = mood;
    say(this.#state, stateOf(task));
    say(this.#command, command === task.title ? '' : command);
    this.#command.title = visible(command);
    say(this.#figures, `${runningTime(task, Date.now())} · ${outputSize(task)}`);
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
