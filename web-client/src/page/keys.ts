/**
 * The meaning of a key as a shortcut: the letter that the keyboard writes; on a keyboard without Latin letters, the letter at the same
 * place of a Latin keyboard.
 */
export function keyOf(event: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const [, letter] = /^Key([A-Z])$/.exec(event.code) ?? [];
  return letter !== undefined && /^[^\x00-\x7f]$/.test(event.key) ? letter.toLowerCase() : event.key;
}

/** The letter of a key with Ctrl or the like, where Shift makes it a capital. */
export function letterOf(event: Pick<KeyboardEvent, 'key' | 'code'>): string {
  return keyOf(event).toLowerCase();
}

const SYSTEM = globalThis.navigator?.platform ?? '';
export const IS_MAC = /^(Mac|iP)/.test(SYSTEM);
export const IS_WINDOWS = SYSTEM.startsWith('Win');
