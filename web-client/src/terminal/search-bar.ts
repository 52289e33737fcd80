import { button, element } from '../page/element';
import type { Screen } from './screen';

/** Finds text on the screen and above it. */
export class SearchBar {
  readonly root: HTMLFormElement;
  readonly #field = element('input', {
    type: 'search',
    placeholder: 'Search',
    ariaLabel: 'Search the terminal',
    spellcheck: false,
  });
  readonly #screen: Screen;

  constructor(screen: Screen) {
    this.#screen = screen;
    const none = element('span', { className: 'quiet', role: 'status' });
    const find = (back: boolean): void => {
      const options = {
        decorations: {
          matchOverviewRuler: '#d9a020',
          activeMatchColorOverviewRuler: '#e07020',
          matchBackground: '#d9a02055',
          activeMatchBackground: '#e0702099',
        },
      };
      const found =
        this.#field.value === '' ||
        (back
          ? screen.search.findPrevious(this.#field.value, options)
          : screen.search.findNext(this.#field.value, options));
      if (this.#field.value === '' || !found) none.textContent = found ? '' : 'not found';
    };
    screen.search.onDidChangeResults(({ resultIndex, resultCount }) => {
      if (resultCount > 0)
        none.textContent = resultIndex < 0 ? `${resultCount} or more` : `${resultIndex + 1} of ${resultCount}`;
    });
    this.root = element(
      'form',
      { className: 'search', hidden: true, role: 'search' },
      this.#field,
      none,
      button('↑', { ariaLabel: 'Previous match' }, () => find(true)),
      button('↓', { ariaLabel: 'Next match' }, () => find(false)),
      button('✕', { ariaLabel: 'Close the search' }, () => this.close()),
    );
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
      find(true);
    });
    this.#field.addEventListener('input', () => find(true));
    this.#field.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Escape') this.close();
      if (event.key === 'Enter' && event.shiftKey) {
        event.preventDefault();
        find(false);
      }
    });
  }

  open(): void {
    this.root.hidden = false;
    this.#field.select();
    this.#field.focus();
  }

  close(): void {
    this.root.hidden = true;
    this.#screen.search.clearDecorations();
    this.#screen.terminal.focus();
  }
}
