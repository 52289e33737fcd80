import { element } from '../page/element';
import { isAnswer } from './answers';

const KEYS: readonly (readonly [string, string, string])[] = [
  ['Esc', '\x1b', 'Escape'],
  ['Tab', '\t', 'Tab'],
  ['←', '\x1b[D', 'Left'],
  ['↑', '\x1b[A', 'Up'],
  ['↓', '\x1b[B', 'Down'],
  ['→', '\x1b[C', 'Right'],
  ['|', '|', 'Pipe'],
  ['/', '/', 'Slash'],
  ['~', '~', 'Tilde'],
];

/** Reports of focus and of touches: sent by the terminal itself, besides its replies. */
const TOUCHED = /^\x1b\[(?:[IO]$|[<?>M])/;

/** The keys that a phone's keyboard does not have. Ctrl stays down for one key. */
export class SoftKeys {
  readonly root: HTMLElement;
  readonly #ctrl: HTMLButtonElement;

  constructor(type: (text: string) => void, focus: () => void, applicationCursor: () => boolean) {
    this.#ctrl = key('Ctrl', 'Control, for the next key', () => {
      this.#hold(!this.#held());
      focus();
    });
    this.#hold(false);
    this.root = element(
      'div',
      { className: 'soft-keys', role: 'toolbar', ariaLabel: 'Keys' },
      this.#ctrl,
      ...KEYS.map(([text, sent, name]) =>
        key(text, name, () => {
          type(this.through(applicationCursor() ? sent.replace('[', 'O') : sent));
          focus();
        }),
      ),
    );
  }

  /** The typed input, with Ctrl applied if it is held. */
  through(typed: string): string {
    if (!this.#held() || isAnswer(typed) || TOUCHED.test(typed)) return typed;
    this.#hold(false);
    return withCtrl(typed);
  }

  #held(): boolean {
    return this.#ctrl.ariaPressed === 'true';
  }

  #hold(held: boolean): void {
    this.#ctrl.ariaPressed = String(held);
  }
}

const SPECIAL: Readonly<Record<string, string>> = { '?': '\x7f', ' ': '\0', '/': '\x1f', '|': '\x1c' };

/** Input of more than one key, such as a word that a phone suggests, stays as it is. */
export function withCtrl(typed: string): string {
  const arrow = /^\x1b[[O]([A-D])$/.exec(typed)?.[1];
  if (arrow !== undefined) return `\x1b[1;5${arrow}`;
  if (typed.length !== 1) return typed;
  const code = typed.toUpperCase().charCodeAt(0);
  return code >= 0x40 && code < 0x60
    ? String.fromCharCode(code - 0x40)
    : (SPECIAL[typed] ?? typed);
}

function key(text: string, name: string, act: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', ariaLabel: name }, text);
  // Not on the click of a finger: the terminal would lose the focus, and the phone's keyboard would disappear and return.
  made.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    act();
  });
  // A click by key, screen reader or voice control.
  made.addEventListener('click', (event) => {
    if (event.detail === 0) act();
  });
  return made;
}
