/**
 * Tells the rest of a typed word from an answer. Where a letter opens a dialog, that letter may be one of a command that was meant for a
 * terminal; what follows it must not answer the dialog.
 */

/** Whoever reads a dialog before they answer takes longer. */
export const READ_WITHIN_MS = 500;

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'timeStamp'>;

export function isCharacter({ key, ctrlKey, metaKey, altKey }: Key): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !altKey;
}

/** Whether this key follows the letter sooner than somebody could have read what it opened. */
export function isRestOf(letter: Key, key: Key): boolean {
  return key.timeStamp - letter.timeStamp < READ_WITHIN_MS;
}

/** A question without fields that a letter has opened: another letter closes it, and a key that comes at once does not answer it. */
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
 * A command field that a letter has opened. A sentence that goes on in it at once is not run by its own Enter but by a second one;
 * not one that follows a pause, a click, another field, or text that was pasted.
 */
export class TypedCommand {
  readonly #letter: Key;
  #isKnown = false; // whether it is a sentence that goes on
  #isSentence = false;
  #byKey = false; // the next input comes of a key

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

  /** Somebody looks at the dialog: they click, or go from field to field. */
  attended(): void {
    this.#isKnown = true;
    this.#isSentence = false;
  }

  /** Whether Enter runs it; the next one does in any case. */
  mayRun(): boolean {
    const may = !this.#isSentence;
    this.attended();
    return may;
  }
}
