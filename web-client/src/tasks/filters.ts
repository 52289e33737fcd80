import { button, element, say } from '../page/element';
import { ANY, type Wanted } from '../route';
import { isStanding, type Standing, type TaskCounts } from '../server/api';
import { typedOf, wantedOf } from './query';

const TYPED_MS = 150; // a pause of typing this long ends a word

/** The states that have a chip, with their names; the empty word is all. */
const CHIPS: readonly (readonly [Standing | '', string, string])[] = [
  ['', 'All', ''],
  ['running', 'Running', ''],
  ['awaiting_input', 'Needs input', 'asks'],
  ['unsuccessful', 'Failed', 'failed'],
  ['succeeded', 'Succeeded', ''],
];

/** The filter of a list of tasks: one search, and the states with their numbers. */
export class Filters {
  readonly root: HTMLElement;
  readonly #typed = element('input', {
    type: 'search',
    placeholder: 'Search titles, commands, label:… session:…',
    ariaLabel: 'Search tasks',
    title: 'Titles, labels and commands; label:NAME, session:NAME and status:WORD find exactly these (/)',
    spellcheck: false,
    autocapitalize: 'off',
    autocomplete: 'off',
  });
  readonly #chips: ReadonlyMap<string, HTMLButtonElement>;
  readonly #numbers = element('div', { className: 'chips', role: 'group', ariaLabel: 'States', ariaBusy: 'false' });
  readonly #clear = button('Clear', { className: 'clear needless', title: 'Show all tasks again' }, () => {
    this.want(ANY);
    this.focus();
    this.#changed();
  });
  readonly #changed: () => void;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
    this.#chips = new Map(
      CHIPS.map(([word, name, className]) => [
        word,
        button(name, { className, ariaPressed: String(word === '') }, () => this.#choose(word)),
      ]),
    );
    for (const chip of this.#chips.values()) chip.append(element('span', { className: 'number' }));
    this.#numbers.append(...this.#chips.values());
    this.root = element(
      'div',
      { className: 'filters', role: 'search' },
      element('div', { className: 'query icon' }, this.#typed),
      this.#clear,
      this.#numbers,
    );
    this.root.querySelector<HTMLElement>('.query')!.dataset['icon'] = 'search';
    this.#typed.addEventListener('input', () => {
      this.#draw();
      clearTimeout(this.#waiting);
      this.#waiting = setTimeout(changed, TYPED_MS);
    });
    // The first Escape clears the field, as browsers do; the next leaves it.
    this.#typed.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.#typed.value === '') this.#typed.blur();
      if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
      event.preventDefault();
      const first = this.root.parentElement?.querySelector<HTMLElement>('a.row');
      if (event.key === 'Enter') first?.click();
      else first?.focus();
    });
  }

  get wanted(): Wanted {
    return wantedOf(this.#typed.value);
  }

  get areSet(): boolean {
    return this.#typed.value.trim() !== '';
  }

  want(wanted: Wanted): void {
    this.#typed.value = typedOf(wanted);
    this.#draw();
  }

  /** Says whether other numbers are about to come. */
  set isCounting(is: boolean) {
    this.#numbers.ariaBusy = String(is);
  }

  /** Shows how many tasks each state has; null if that is not known. */
  count(counts: TaskCounts | null): void {
    for (const [word, chip] of this.#chips) {
      const number = counts === null ? 0 : counts[isStanding(word) ? word : 'all'];
      const more = counts?.truncated === true && word === '' ? '+' : '';
      say(chip.querySelector('.number')!, number === 0 ? '' : `${number.toLocaleString('en')}${more}`);
    }
  }

  focus(): void {
    this.#typed.focus();
    this.#typed.select();
  }

  close(): void {
    clearTimeout(this.#waiting);
  }

  #choose(status: string): void {
    this.want({ ...this.wanted, status });
    this.#changed();
  }

  #draw(): void {
    this.#clear.classList.toggle('needless', !this.areSet);
    const { status } = this.wanted;
    for (const [word, chip] of this.#chips) chip.ariaPressed = String(word === status);
  }
}
