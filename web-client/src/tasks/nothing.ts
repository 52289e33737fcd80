import type { Wanted } from '../route';
import { isStanding } from '../server/api';
import { STANDING_WORDS } from './words';

/** The sentence for a filter that matches no task. */
export function nothingLike({ text, status, session, label }: Wanted): string {
  const which = isStanding(status) ? `${STANDING_WORDS[status]} ` : '';
  const whose = [
    session === '' ? '' : `of the session “${session}”`,
    label === '' ? '' : `labelled “${label}”`,
    text === '' ? '' : `with “${text}” in the title, label or command`,
  ].filter((part) => part !== '');
  return `No ${which}tasks${whose.length === 0 ? '' : ` ${whose.join(' ')}`}.`;
}
