const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/** Removes control characters that could end a bracketed paste, so that the rest would count as typed. */
export function pasteable(copied: string): string {
  return copied.replace(CONTROLS, '');
}

/** The number of lines that a paste would run at once, without bracketed paste. */
export function linesIn(pasted: string): number {
  return pasted
    .replace(/\r\n?|\n$/g, '\n')
    .replace(/\n+$/, '')
    .split('\n').length;
}

/** The question to ask before pasting; null for a harmless text. */
export function questionOf(pasted: string, takenAsAWhole: boolean): string | null {
  const lines = linesIn(pasted);
  const ends = /[\r\n]/.test(pasted);
  if (takenAsAWhole || !ends) return null;
  return lines === 1
    ? 'Paste a line with its end? It runs at once.'
    : `Paste ${lines} lines? Each runs at once.`;
}

const SHOWN_LINES = 12;

export function preview(pasted: string): string {
  const lines = pasted.replace(/\r\n?/g, '\n').split('\n');
  return lines.length <= SHOWN_LINES
    ? lines.join('\n')
    : `${lines.slice(0, SHOWN_LINES).join('\n')}\n… and ${lines.length - SHOWN_LINES} more`;
}
