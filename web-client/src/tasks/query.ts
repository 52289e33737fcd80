/** The filter of a list of tasks as one line of text, such as `npm status:running label:pr-42`. */

import { ANY, type Wanted } from '../route';

const FIELDS = ['status', 'session', 'label'] as const;
const WORD = /(?:(status|session|label):)?(?:"([^"]*)"?|(\S+))/g;

export function wantedOf(typed: string): Wanted {
  const wanted = { ...ANY };
  const words: string[] = [];
  for (const [whole, field, quoted, word] of typed.matchAll(WORD)) {
    const named = FIELDS.find((each) => each === field);
    if (named !== undefined) wanted[named] = quoted ?? word ?? '';
    else words.push(whole);
  }
  return { ...wanted, text: words.join(' ') };
}

/** @param leftOut the session of a list that is of one session only */
export function typedOf(wanted: Wanted): string {
  const fields = FIELDS.filter((field) => wanted[field] !== '').map((field) => `${field}:${quoted(wanted[field])}`);
  return [...fields, wanted.text].filter((part) => part !== '').join(' ');
}

function quoted(value: string): string {
  return /[\s"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value;
}
