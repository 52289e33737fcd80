import { copies } from '../page/clipboard';
import { element } from '../page/element';
import { openSession, Refusal } from '../server/api';

/** The command finds the usual data directory. Strangers can read this page, so it does not name the server's own. */
const COMMAND = './penstock token';

/** The sign-in page, for a browser without a session. */
export function signIn(why: string, entered: () => void): HTMLElement {
  const field = element('input', {
    id: 'token',
    type: 'password',
    autocomplete: 'current-password',
    spellcheck: false,
    required: true,
    placeholder: 'Access token',
    ariaLabel: 'Access token',
  });
  const complaint = element('p', { className: 'complaint', role: 'alert' }, why);
  const enter = element('button', { type: 'submit', className: 'primary' }, 'Sign in');
  const form = element('form', {}, element('div', { className: 'joined' }, field, enter));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    enter.disabled = true;
    openSession(field.value.trim())
      .then(entered)
      .catch((refused: unknown) => {
        complaint.textContent =
          refused instanceof Refusal && refused.status === 401
            ? 'This token is not valid for this server.'
            : (refused as Error).message;
        field.select();
      })
      .finally(() => (enter.disabled = false));
  });
  return element(
    'section',
    { className: 'sign-in' },
    element('h1', {}, 'Welcome to Penstock'),
    element('p', {}, 'Anyone with access can run programs on this machine. Enter the access token to continue.'),
    complaint,
    form,
    element('h2', {}, 'Where the token is'),
    element(
      'p',
      {},
      'The terminal in which you ran ',
      element('code', {}, './penstock up'),
      ' shows a link that signs you in. This command shows the token; for a server that was started with ',
      element('code', {}, '--data DIR'),
      ', add the same to it:',
    ),
    element(
      'div',
      { className: 'joined' },
      element('code', { className: 'copied' }, COMMAND),
      copies('Copy', 'Copy the command', () => COMMAND),
    ),
  );
}
