import type { Wanted } from '../route';
import { isStatus } from '../server/api';
import { STATUS_WORDS } from './words';

/** The sentence for a filter that matches no task. */
export function nothingLike({ text, status, session, label }: Wanted): string {
  const which = [
    'No task',
    session === '' ? '' : ` of the session “${session}”`,
    isStatus(status) ? ` in the state “${STATUS_WORDS[status]}”` : '',
    label === '' ? '' : ` has the label “${label}”`,
    text === '' ? '' : `${label === '' ? ' has' : ' and'} “${text}” in its title or label`,
  ].join('');
  return label === '' && text === '' ? `There is ${which.replace(/^N/, 'n')}.` : `${which}.`;
}
