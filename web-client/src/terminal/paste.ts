const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/** Without what could end a paste that a program takes as a whole, and go on as if it were typed. */
export function pasteable(copied: string): string {
  return copied.replace(CONTROLS, '');
}

/** What a paste would run at once, if the program does not take pastes as a whole. */
export function linesIn(pasted: string): number {
  return pasted
    .replace(/\r\n?|\n$/g, '\n')
    .replace(/\n+$/, '')
    .split('\n').length;
}

/** What is asked before it is pasted; null for what is harmless. */
export function questionOf(pasted: string, takenAsAWhole: boolean): string | null {
  const lines = linesIn(pasted);
  const ends = /[\r\n]/.test(pasted);
  if (takenAsAWhole || !ends) return null;
  return lines === 1
    ? 'Paste a line with its end? It runs at once.'
    : `Paste ${lines} lines? Each runs as soon as it is there.`;
}

const SHOWN_LINES = 12;

export function preview(pasted: string): string {
  const lines = pasted.replace(/\r\n?/g, '\n').split('\n');
  return lines.length <= SHOWN_LINES
    ? lines.join('\n')
    : `${lines.slice(0, SHOWN_LINES).join('\n')}\n… and ${lines.length - SHOWN_LINES} more`;
}
