/**
 * What a key means as a shortcut. Letters are those that the keyboard writes, wherever they lie; on one that writes no Latin letters,
 * those that lie there on others.
 */
export function keyOf(event: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const [, letter] = /^Key([A-Z])$/.exec(event.code) ?? [];
  return letter !== undefined && /^[^\x00-\x7f]$/.test(event.key) ? letter.toLowerCase() : event.key;
}

/** A letter with Ctrl or another key, where Shift makes it a capital. */
export function letterOf(event: Pick<KeyboardEvent, 'key' | 'code'>): string {
  return keyOf(event).toLowerCase();
}
