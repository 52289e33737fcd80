import { button, element, say } from './element';

/** What is searched for. */
export interface Wanted {
  readonly text: string;
  readonly regex: boolean;
  readonly matchCase: boolean;
}

/** Searches what a view shows. */
export interface Searcher {
  /** Searches for something else, and shows the first match. */
  begin(wanted: Wanted): void;
  /** Goes to the next match, or the previous one. */
  step(back: boolean): void;
  /** Ends the search, and its marks. */
  stop(): void;
  /** The bar was closed: the view has the focus again. */
  closed(): void;
}

const TYPED_MS = 150; // a search begins when the user stops typing

/** Searches as one types, counts the matches, and goes from one to the next: the same in logs and terminals. */
export class SearchBar {
  readonly root: HTMLFormElement;
  readonly #field: HTMLInputElement;
  readonly #regex: HTMLButtonElement;
  readonly #case: HTMLButtonElement;
  readonly #said = element('span', { className: 'quiet figure', role: 'status' });
  readonly #stop = button('Stop', { hidden: true, title: 'Stop searching' }, () => this.#searcher.stop());
  readonly #searcher: Searcher;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(label: string, searcher: Searcher) {
    this.#searcher = searcher;
    this.#field = element('input', { type: 'search', placeholder: 'Search', ariaLabel: label, spellcheck: false, maxLength: 500 });
    this.#case = this.#option('Aa', 'Match case');
    this.#regex = this.#option('.*', 'Regular expression');
    this.root = element(
      'form',
      { className: 'search', hidden: true, role: 'search' },
      this.#field,
      this.#case,
      this.#regex,
      this.#said,
      this.#stop,
      button('↑', { ariaLabel: 'Previous match', title: 'Previous match (Shift+Enter)' }, () => this.#step(true)),
      button('↓', { type: 'submit', ariaLabel: 'Next match', title: 'Next match (Enter)' }, () => undefined),
      button('✕', { ariaLabel: 'Close the search', title: 'Close (Esc)' }, () => this.close()),
    );
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#step(false);
    });
    this.#field.addEventListener('input', () => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => this.#begin(), TYPED_MS);
    });
    this.root.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Escape') this.close();
      if (event.key === 'Enter' && event.shiftKey && event.target === this.#field) {
        event.preventDefault();
        this.#step(true);
      }
    });
  }

  /** What is searched for; null while the bar is closed or empty. */
  get wanted(): Wanted | null {
    const text = this.#field.value;
    if (text === '' || this.root.hidden) return null;
    return { text, regex: this.#regex.ariaPressed === 'true', matchCase: this.#case.ariaPressed === 'true' };
  }

  open(): void {
    this.root.hidden = false;
    this.#field.select();
    this.#field.focus();
  }

  /** Shows a search that begins elsewhere, for example in the address. */
  show({ text, regex, matchCase }: Wanted): void {
    this.root.hidden = false;
    this.#field.value = text;
    this.#regex.ariaPressed = String(regex);
    this.#case.ariaPressed = String(matchCase);
  }

  close(): void {
    clearTimeout(this.#typing);
    this.#typing = undefined;
    this.#searcher.stop();
    this.root.hidden = true;
    this.#searcher.closed();
  }

  /** @param isSearching whether the search can be stopped */
  say(text: string, isSearching = false): void {
    say(this.#said, text);
    this.#stop.hidden = !isSearching;
  }

  #option(text: string, name: string): HTMLButtonElement {
    const made = button(text, { className: 'option', ariaPressed: 'false', ariaLabel: name, title: name }, () => {
      made.ariaPressed = String(made.ariaPressed !== 'true');
      this.#begin();
    });
    return made;
  }

  #begin(): void {
    clearTimeout(this.#typing);
    this.#typing = undefined;
    this.#searcher.stop();
    const { wanted } = this;
    this.say('');
    if (wanted !== null) this.#searcher.begin(wanted);
  }

  #step(back: boolean): void {
    if (this.#typing !== undefined) this.#begin();
    if (this.wanted !== null) this.#searcher.step(back);
  }
}

/**
 * The expression of what is searched for, a text or a user's own.
 *
 * @throws Error with a sentence for the user if the user's is not valid
 */
export function expressionOf({ text, regex, matchCase }: Wanted): RegExp {
  const flags = matchCase ? 'g' : 'gi';
  if (!regex) return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), flags);
  try {
    return new RegExp(text, flags);
  } catch (invalid) {
    throw new Error(`Not a valid pattern: ${(invalid as Error).message.split(': ').at(-1)}`); // browsers word it differently
  }
}

/** The words for a match among others. @param count of the matches so far @param share of what has been searched, from 0 to 1 */
export function matchWords(number: number, count: number, share: number, isDone: boolean, isFull = false): string {
  const found = count === 0 ? '' : `${number === 0 ? '' : `${number} of `}${count}${isFull ? '+' : ''}${number === 0 ? ' found' : ''}`;
  if (isDone) return found === '' ? 'not found' : found;
  return `${found}${found === '' ? '' : ' · '}${Math.floor(share * 100)} %`;
}
