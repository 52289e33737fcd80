/** Characters that change the direction of the text around them, and so can disguise a title or a command. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text with a visible mark in place of each of them. */
export function visible(text: string): string {
  return text.replace(TURNING, (each) => `⟨U+${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}
