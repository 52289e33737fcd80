import { copy } from '../page/clipboard';
import { button, element } from '../page/element';
import { taskAddress } from '../route';
import { Refusal, type Task } from '../server/api';
import { runAgain } from '../task/again';
import { askStop } from '../task/stop';

/** What can be done with one row, by its buttons or by keys. */
export class RowActions {
  readonly #open: (id: string) => void;
  readonly #complain: (message: string) => void;

  constructor(open: (id: string) => void, complain: (message: string) => void) {
    this.#open = open;
    this.#complain = complain;
  }

  /** The buttons of a row. They are reached by keys with the row's keys only: three more stops for each row would be in the way. */
  buttons(task: () => Task): HTMLElement {
    const icon = (name: string, title: string, act: () => void): HTMLButtonElement => {
      const made = button('', { className: 'icon', title, ariaLabel: title, tabIndex: -1 }, act);
      made.dataset['icon'] = name;
      return made;
    };
    const stop = icon('stop', 'Stop (s)', () => this.#stop(task()));
    const again = icon('again', 'Run again (r)', () => this.#again(task()));
    const link = icon('link', 'Copy link (c)', () => this.#copyLink(task()));
    return element('div', { className: 'row-actions' }, stop, again, link);
  }

  key(key: string, task: Task): boolean {
    if (key === 's' && task.outcome === null) this.#stop(task);
    else if (key === 'r' && task.outcome !== null) this.#again(task);
    else if (key === 'c') this.#copyLink(task);
    else return false;
    return true;
  }

  #stop(task: Task): void {
    askStop(task, this.#complain);
  }

  #again(task: Task): void {
    runAgain(task.task_id).then(this.#open, (why: unknown) => {
      if (!(why instanceof Refusal)) throw why;
      this.#complain(why.message);
    });
  }

  #copyLink(task: Task): void {
    const link = new URL(taskAddress(task.task_id), location.href).href;
    copy(link).then(
      () => this.#complain('Link copied.'),
      (why: Error) => this.#complain(why.message),
    );
  }
}
