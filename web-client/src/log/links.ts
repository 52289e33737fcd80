const MOST_CHARS = 2_048; // of an address
/** Ends at whatever ends an address in text, and at characters that turn the direction of text. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`{}|\\^\x00-\x20\x7f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gi;
const TAIL = /[.,;:!?*_~]+$/; // marks of the sentence around it

export interface Piece {
  readonly text: string;
  /** The address of a link; null for text. */
  readonly href: string | null;
}

/** Text, cut into web addresses and the rest. Only http and https become links, whatever else the text looks like. */
export function piecesOf(text: string): readonly Piece[] {
  if (!text.includes('://')) return [{ text, href: null }];
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const shown = trimmed(found);
    const href = addressOf(shown);
    if (href === null) continue;
    if (index > at) pieces.push({ text: text.slice(at, index), href: null });
    pieces.push({ text: shown, href });
    at = index + shown.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), href: null });
  return pieces;
}

/** Without the punctuation behind it, and without a bracket that was opened before it. */
function trimmed(found: string): string {
  let text = found;
  for (;;) {
    const rest = text.replace(TAIL, '');
    const closes = /[)\]]$/.exec(rest)?.[0];
    const opens = closes === ')' ? '(' : '[';
    if (closes === undefined || rest.split(opens).length >= rest.split(closes).length) return rest;
    text = rest.slice(0, -1);
  }
}

function addressOf(text: string): string | null {
  if (text.length > MOST_CHARS || !URL.canParse(text)) return null;
  const { protocol, href, host } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && host !== '' ? href : null;
}
