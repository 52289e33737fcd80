/** What terminals are asked for and say by themselves: what they are, where the cursor is, their colours, modes and size. */
const ANSWER = /^\x1b(?:[\]P]|\[[?>]?[\d;]*[Rcn]$|\[\??[\d;]+\$y$|\[[\d;]+t$)/;

/** Shift+F3 and its like write the same as a cursor's place; who types has the keyboard, and all that it writes is sent. */
export function isAnswer(text: string): boolean {
  return ANSWER.test(text);
}
