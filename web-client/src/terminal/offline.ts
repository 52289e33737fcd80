import type { Standing } from '../attach/audience';
import type { Typed } from '../attach/operations';
import { keysOf } from '../ledger/sentences';
import { button, element, say } from '../page/element';
import { duration } from '../server/health';

const SHOWN_AFTER_MS = 700; // a short interruption is not worth a message
const SHOWN_KEYS = 60; // of the typed keys, the newest
const ASKS_SECRET = /(pass(word|phrase|code)?|PIN|token|secret)\b[^\n]*[:?]\s*$/i; // the line of the cursor, as its program wrote it

/** Describes the input that waits to be sent; null if there is none. `line` is the terminal's line with the cursor. */
export function waitingWords({ sent, unsent }: Typed, line: string): string | null {
  const isSecret = ASKS_SECRET.test(line);
  const shown = (bytes: Uint8Array): string => {
    if (isSecret) return `${bytes.length} ${bytes.length === 1 ? 'byte' : 'bytes'}, not shown`;
    const keys = [...keysOf(bytes.subarray(-4 * SHOWN_KEYS))]; // a character has four bytes at most
    return keys.length > SHOWN_KEYS ? `…${keys.slice(-SHOWN_KEYS).join('')}` : keys.join('');
  };
  const words = [
    ...(sent.length > 0 ? [`Sent, not confirmed: ${shown(sent)}`] : []),
    ...(unsent.length > 0 ? [`Will be sent: ${shown(unsent)}`] : []),
  ];
  return words.length === 0 ? null : words.join(' · ');
}

/** A notice over a terminal whose server cannot be reached: since when, and the keys typed meanwhile. */
export class Offline {
  readonly root: HTMLElement;
  readonly #since = element('span', { className: 'figure' }); // no `status` role: each second would be read aloud
  readonly #waiting = element('code', {});
  readonly #discard: HTMLButtonElement;
  readonly #typed: () => Typed;
  readonly #line: () => string;
  readonly #shown: (isShown: boolean) => void;
  #isAway = false; // according to the connection
  #isSilent = false; // the server, according to other requests
  #at: number | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param line the terminal's line with the cursor @param shown is called when the terminal should look offline, or no longer */
  constructor(typed: () => Typed, line: () => string, discard: () => void, shown: (isShown: boolean) => void) {
    this.#typed = typed;
    this.#line = line;
    this.#shown = shown;
    this.#discard = button('Discard', { title: 'Do not send what was typed while offline' }, () => {
      discard();
      this.update();
    });
    this.root = element(
      'div',
      { className: 'offline', hidden: true },
      element('b', { role: 'status' }, 'Offline, reconnecting…'),
      this.#since,
      this.#waiting,
      this.#discard,
    );
  }

  stand(standing: Standing): void {
    this.#isAway = standing.is === 'waiting' || (standing.is === 'connecting' && (standing.attempt > 0 || this.#isAway));
    this.#become();
  }

  answers(does: boolean): void {
    this.#isSilent = !does;
    this.#become();
  }

  /** Input was typed, or has been answered. */
  update(): void {
    if (this.#at === undefined) return;
    const away = performance.now() - this.#at;
    if (away >= SHOWN_AFTER_MS && this.root.hidden) {
      this.root.hidden = false;
      this.#shown(true);
    }
    say(this.#since, `for ${duration(Math.max(1, Math.floor(away / 1000)) * 1000)}`);
    const typed = this.#typed();
    const words = waitingWords(typed, this.#line());
    this.#waiting.hidden = words === null;
    say(this.#waiting, words ?? '');
    this.#discard.hidden = typed.unsent.length === 0;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #become(): void {
    const isOffline = this.#isAway || this.#isSilent;
    if (isOffline === (this.#at !== undefined)) return;
    clearInterval(this.#timer);
    if (isOffline) {
      this.#at = performance.now();
      this.#timer = setInterval(() => this.update(), 250);
      return;
    }
    this.#at = undefined;
    this.root.hidden = true;
    this.#shown(false);
  }
}
