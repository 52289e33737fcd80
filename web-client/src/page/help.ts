import { button, element } from './element';

const KEYS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Everywhere',
    [
      ['?', 'keyboard shortcuts'],
      ['Ctrl+K', 'command palette; Ctrl+Shift+K in a terminal'],
      ['n', 'start a task'],
      ['g', 'all tasks'],
      ['m', 'sessions and mailboxes'],
      ['Esc', 'close the dialog'],
    ],
  ],
  [
    'A list',
    [
      ['/', 'search'],
      ['j  k', 'down, up'],
      ['Enter', 'open'],
      ['s  r', 'of tasks: stop, run again'],
      ['Delete', 'remove an ended task; it asks first'],
      ['c', 'copy the link'],
      ['x', 'select, to act on several'],
    ],
  ],
  [
    'A task',
    [
      ['1 … 5', 'its views, from left to right; of a session, too'],
      ['h  H', 'next, previous hit of its watchers'],
      ['d', 'details'],
      ['r  e', 'when it has ended: run again; edit and run'],
      ['s', 'stop, interrupt or kill it; it asks first'],
      ['i', 'write to the agent; Esc goes back to the conversation'],
      ['/', 'search in the output'],
      ['Enter  Shift+Enter', 'next, previous match'],
      ['f  w  t', 'follow the log, wrap long lines, show times'],
      ['x  z', 'next error of a log, fold or unfold its groups'],
      ['Home  End', 'oldest, latest line of a log or a timeline'],
    ],
  ],
  [
    'A replay',
    [
      ['Space', 'play, pause'],
      ['←  →', 'back, forward 5 seconds'],
      [',  .', 'back, forward one frame'],
      ['<  >', 'slower, faster'],
      ['Home  End  F', 'beginning, end, full screen'],
    ],
  ],
  [
    'In a terminal',
    [
      ['Ctrl+Shift+F', 'search'],
      ['Ctrl+Shift+C', 'copy; Ctrl+C does it while text is selected'],
      ['Ctrl+Shift+V', 'paste'],
      ['Ctrl+Shift+↑  Ctrl+Shift+↓', 'previous, next command, if the shell marks them'],
      ['Ctrl+Shift+E', 'move focus out of the terminal'],
      ['Ctrl+Shift+K', 'command palette; it also sends Ctrl+W, N and T'],
      ['Shift+mouse', 'select text while the program uses the mouse'],
      ['Ctrl +  Ctrl −  Ctrl 0', 'increase, decrease, reset font size'],
    ],
  ],
];

/** Lists the keyboard shortcuts. */
export function helpDialog(): HTMLDialogElement {
  const dialog = element('dialog', { className: 'sheet help', ariaLabel: 'Keys' });
  dialog.append(
    element(
      'header',
      {},
      element('h2', {}, 'Keys'),
      button('Close', { autofocus: true }, () => dialog.close()),
    ),
    element(
      'div',
      { className: 'columns' },
      ...KEYS.map(([where, keys]) =>
        element(
          'section',
          {},
          element('h3', {}, where),
          element(
            'dl',
            {},
            ...keys.flatMap(([key, what]) => [
              element('dt', {}, ...key.split('  ').map((each) => element('kbd', {}, each))),
              element('dd', {}, what),
            ]),
          ),
        ),
      ),
    ),
  );
  dialog.addEventListener('close', () => dialog.remove());
  return dialog;
}

/** Asks before an action that cannot be undone. */
export function askFirst(question: string, detail: string, yes: string, act: () => void): void {
  const dialog = element('dialog', { className: 'sheet ask', ariaLabel: question });
  dialog.append(
    element('h2', {}, question),
    element('pre', {}, detail),
    element(
      'p',
      { className: 'actions' },
      button('Cancel', {}, () => dialog.close()),
      button(yes, { className: 'primary', autofocus: true }, () => {
        dialog.close();
        act();
      }),
    ),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
