/** Replies of terminals to queries: identity, place of the cursor, colours, modes and size. */
const ANSWER = /^\x1b(?:[\]P]|\[[?>]?[\d;]*[Rcn]$|\[\??[\d;]+\$y$|\[[\d;]+t$)/;

/** Shift+F3 and similar keys write the same bytes as a cursor report; a window with the keyboard sends everything. */
export function isAnswer(text: string): boolean {
  return ANSWER.test(text);
}
