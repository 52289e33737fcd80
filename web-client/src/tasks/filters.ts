import { button, element } from '../page/element';
import { ANY, type Wanted } from '../route';
import { isStatus, STATUSES, type Task } from '../server/api';
import { STATUS_WORDS } from './words';

const TYPED_MS = 150; // a pause of typing this long ends a word
const OFFERED = 50; // labels, of those in the list

/** The filter of a list of tasks, as fields. */
export class Filters {
  readonly root: HTMLElement;
  readonly #text = element('input', {
    type: 'search',
    placeholder: 'Search titles and labels',
    ariaLabel: 'Search titles and labels',
    spellcheck: false,
  });
  readonly #status = element(
    'select',
    { ariaLabel: 'Status' },
    element('option', { value: '' }, 'All states'),
    ...STATUSES.map((status) => element('option', { value: status }, STATUS_WORDS[status])),
  );
  readonly #session = exactly('Session', 'Only tasks of this session');
  readonly #label = exactly('Label', 'Only tasks with this label');
  readonly #offered = element('datalist', { id: 'labels' });
  readonly #clear = button('Clear', { className: 'clear', title: 'Show all tasks again' }, () => {
    this.want(ANY);
    this.focus();
    this.#changed();
  });
  readonly #changed: () => void;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  /** @param anySession whether the session is a field, too */
  constructor(changed: () => void, start: () => void, anySession: boolean) {
    this.#changed = changed;
    this.#label.setAttribute('list', this.#offered.id);
    this.root = element(
      'div',
      { className: 'filters', role: 'search' },
      this.#text,
      this.#status,
      ...(anySession ? [this.#session] : []),
      this.#label,
      this.#clear,
      button('New task', { className: 'primary', title: 'Start a task (n)' }, start),
      this.#offered,
    );
    for (const field of [this.#text, this.#session, this.#label]) {
      field.addEventListener('input', () => {
        this.#draw();
        clearTimeout(this.#waiting);
        this.#waiting = setTimeout(changed, TYPED_MS);
      });
    }
    this.#status.addEventListener('input', () => {
      this.#draw();
      changed();
    });
    this.#draw();
  }

  get wanted(): Wanted {
    return {
      text: this.#text.value,
      status: this.#status.value,
      session: this.#session.value.trim(),
      label: this.#label.value.trim(),
    };
  }

  get areSet(): boolean {
    return Object.values(this.wanted).some((value) => value !== '');
  }

  want(wanted: Wanted): void {
    this.#text.value = wanted.text;
    this.#status.value = isStatus(wanted.status) ? wanted.status : '';
    this.#session.value = wanted.session;
    this.#label.value = wanted.label;
    this.#draw();
  }

  /** Offers the labels of these tasks in the field of labels. */
  offer(tasks: readonly Task[]): void {
    const labels = [...new Set(tasks.flatMap(({ label }) => label ?? []))].slice(0, OFFERED).sort();
    if (labels.join(' ') === [...this.#offered.options].map(({ value }) => value).join(' ')) return;
    this.#offered.replaceChildren(...labels.map((label) => element('option', { value: label })));
  }

  focus(): void {
    this.#text.focus();
  }

  close(): void {
    clearTimeout(this.#waiting);
  }

  #draw(): void {
    this.#clear.classList.toggle('needless', !this.areSet); // keeps its room
  }
}

function exactly(placeholder: string, ariaLabel: string): HTMLInputElement {
  return element('input', {
    type: 'text',
    placeholder,
    ariaLabel,
    spellcheck: false,
    autocapitalize: 'off',
    autocomplete: 'off',
    className: 'exact',
  });
}
