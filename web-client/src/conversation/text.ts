/** The text of a message in its parts. A message is no markup: only its fenced code is set apart. */

import { plain } from '../log/ansi';

export interface Part {
  readonly isCode: boolean;
  readonly text: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const PART_CHARS = 4_000; // of a part that is not code: only the last part is drawn again while a message grows

/** Paragraphs, and code between fences. A fence that is still open encloses the rest. Escape sequences are removed. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let lines: string[] = [];
  let chars = 0;
  let fence: string | null = null;
  const end = (isCode: boolean): void => {
    if (lines.length > 0 && (isCode || lines.some((line) => line.trim() !== ''))) parts.push({ isCode, text: lines.join('\n') });
    lines = [];
    chars = 0;
  };
  for (const line of plain(text).split('\n')) {
    const [, marks] = FENCE.exec(line) ?? [];
    if (fence === null && marks !== undefined) {
      end(false);
      fence = marks;
    } else if (fence !== null && marks !== undefined && marks.startsWith(fence) && line.trim() === marks) {
      end(true);
      fence = null;
    } else if (fence === null && (line.trim() === '' || chars > PART_CHARS)) {
      end(false);
      if (line.trim() !== '') lines.push(line);
    } else {
      lines.push(line);
      chars += line.length;
    }
  }
  end(fence !== null);
  return parts;
}
