import { button, element, say } from '../page/element';
import type { Search } from './search';

/** Searches for a text and goes from match to match, with the progress of a long search. */
export class LogSearchBar {
  readonly root: HTMLFormElement;
  readonly #field = element('input', {
    type: 'search',
    placeholder: 'Search',
    ariaLabel: 'Search the log',
    spellcheck: false,
  });
  readonly #said = element('span', { className: 'quiet figure', role: 'status' });
  readonly #stop = button('Stop', { hidden: true }, () => this.reset());
  readonly #all = button('Search all', { hidden: true, title: 'Search all of the output, from its beginning' }, () => {
    this.#search?.all?.();
    this.#any = false;
    this.#go(false);
  });
  readonly #begin: (wanted: string) => Search;
  readonly #found: (line: number) => () => string;
  readonly #closed: () => void;
  #search: Search | undefined;
  #busy = false;
  #any = false;
  #place: (() => string) | undefined; // of the marked line

  /** @param found shows a line, and returns the words for its place, which change when the log grows */
  constructor(begin: (wanted: string) => Search, found: (line: number) => () => string, closed: () => void) {
    this.#begin = begin;
    this.#found = found;
    this.#closed = closed;
    this.root = element(
      'form',
      { className: 'search', hidden: true, role: 'search' },
      this.#field,
      button('↑', { ariaLabel: 'Previous match', title: 'Previous match (Shift+Enter)' }, () => this.#go(true)),
      button('↓', { type: 'submit', ariaLabel: 'Next match', title: 'Next match (Enter)' }, () => undefined),
      this.#stop,
      this.#said,
      this.#all,
      button('✕', { ariaLabel: 'Close the search' }, () => this.close()),
    );
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#go(false);
    });
    this.#field.addEventListener('input', () => this.reset());
    this.#field.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Escape') this.close();
      if (event.key === 'Enter' && event.shiftKey) {
        event.preventDefault();
        this.#go(true);
      }
    });
  }

  open(): void {
    this.root.hidden = false;
    this.#field.select();
    this.#field.focus();
  }

  close(): void {
    this.reset();
    this.root.hidden = true;
    this.#closed();
  }

  /** Forgets the search: the next one has another text or other lines. */
  reset(): void {
    this.#search?.stop();
    this.#search = undefined;
    this.#any = false;
    this.#all.hidden = true;
    this.#ready('');
  }

  /** Updates the place of the found line: the log has grown. */
  update(): void {
    if (this.#place !== undefined) say(this.#said, this.#place());
  }

  #go(back: boolean): void {
    void this.#find(back);
  }

  async #find(back: boolean): Promise<void> {
    if (this.#field.value === '' || this.#busy) return;
    const search = (this.#search ??= this.#begin(this.#field.value));
    this.#busy = true;
    this.#place = undefined;
    this.#all.hidden = true;
    this.#stop.hidden = false;
    try {
      const line = await search.find(back, (share) => {
        if (search === this.#search) say(this.#said, `${Math.floor(share * 100)} %`);
      });
      if (search !== this.#search) return;
      if (line !== null) {
        this.#any = true;
        const place = this.#found(line);
        this.#ready(place());
        this.#place = place;
      } else if (this.#any) {
        const isPart = search.isPart === true;
        this.#ready(`${back ? 'no earlier matches' : 'no more matches'}${isPart ? ' in the loaded part' : ''}`);
        this.#all.hidden = !isPart;
      } else this.#ready('not found');
    } catch (refused) {
      if (search === this.#search) this.#ready(refused instanceof Error ? refused.message : String(refused));
    }
  }

  #ready(text: string): void {
    this.#busy = false;
    this.#place = undefined;
    this.#stop.hidden = true;
    say(this.#said, text);
  }
}
