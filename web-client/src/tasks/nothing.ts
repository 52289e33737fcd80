import type { Wanted } from '../route';

/** That there is no such task, as a sentence. */
export function nothingLike({ text, status, session, label }: Wanted): string {
  const which = [
    status === '' ? 'No task' : `No ${status} task`,
    session === '' ? '' : ` of the session “${session}”`,
    label === '' ? '' : ` has the label “${label}”`,
    text === '' ? '' : `${label === '' ? ' has' : ' and'} “${text}” in its title or label`,
  ].join('');
  return label === '' && text === '' ? `There is ${which.replace(/^N/, 'n')}.` : `${which}.`;
}
