/**
 * Distinguishes the rest of a typed word from an answer. If a letter opens a dialog, the letter may be the first of a command that was
 * meant for a terminal; the rest of it must not answer the dialog.
 */

/** Nobody reads and answers a dialog in less time. */
export const READ_WITHIN_MS = 500;

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'timeStamp'>;

export function isCharacter({ key, ctrlKey, metaKey, altKey }: Key): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !altKey;
}

/** Whether this key follows the letter before a user could have read the dialog. */
export function isRestOf(letter: Key, key: Key): boolean {
  return key.timeStamp - letter.timeStamp < READ_WITHIN_MS;
}

/** For a question that a letter has opened: another letter closes it, and Enter or Space right after the letter does not answer it. */
export function closeWhenTyped(dialog: HTMLDialogElement, letter: KeyboardEvent): void {
  dialog.addEventListener(
    'keydown',
    (event) => {
      if (event.repeat) event.preventDefault();
      else if (isCharacter(event) && event.key !== ' ') dialog.close();
      else if ((event.key === 'Enter' || event.key === ' ') && isRestOf(letter, event)) event.preventDefault();
    },
    { capture: true },
  );
}

/**
 * A command field that a letter has opened. Text that continues in it at once may have been meant for a terminal, so it needs a second
 * Enter; text after a pause, a click, another field or a paste does not. The same holds for text that continues right after a refused Enter.
 */
export class TypedCommand {
  #letter: Key;
  #isRefused = false; // the last Enter
  #isKnown = false; // whether #isSentence is decided
  #isSentence = false;
  #byKey = false; // a key causes the next input

  constructor(letter: Key) {
    this.#letter = letter;
  }

  /** A key was pressed in the field. */
  key(key: Key): void {
    this.#byKey = true;
    if (this.#isKnown || !isCharacter(key)) return;
    this.#isKnown = true;
    this.#isSentence = isRestOf(this.#letter, key);
  }

  /** The text has changed. */
  input(): void {
    if (!this.#byKey) this.attended();
    this.#byKey = false;
  }

  /** The user looks at the dialog: a click, or a step from field to field. */
  attended(): void {
    this.#isKnown = true;
    this.#isSentence = this.#isRefused = false;
  }

  /** Whether this Enter runs the command; after a pause, the next one does in any case. */
  mayRun(enter: Key): boolean {
    if (!this.#isSentence && !(this.#isRefused && isRestOf(this.#letter, enter))) return true;
    this.#letter = enter;
    this.#isRefused = true;
    this.#isKnown = this.#isSentence = this.#byKey = false;
    return false;
  }
}
