import { button, element } from './element';

const KEYS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Everywhere',
    [
      ['?', 'this list'],
      ['Ctrl+K', 'command palette; Ctrl+Shift+K in a terminal'],
      ['n', 'start a task'],
      ['g', 'all tasks'],
      ['Esc', 'close what is open'],
    ],
  ],
  [
    'All tasks',
    [
      ['/', 'search'],
      ['j  k', 'down, up'],
      ['Enter', 'open'],
    ],
  ],
  [
    'A task',
    [
      ['1  2  3  4', 'its views, from left to right'],
      ['s', 'stop, interrupt or kill it; it asks first'],
      ['/', 'search in the output'],
      ['Enter  Shift+Enter', 'the next place, the one before; in a terminal upwards, downwards'],
      ['f', 'follow the log'],
      ['Home  End', 'the beginning, the newest, of a log or a timeline'],
      ['w', 'wrap long lines'],
    ],
  ],
  [
    'A replay',
    [
      ['Space', 'play, pause'],
      ['←  →', 'five seconds back, on'],
      [',  .', 'one frame back, on'],
      ['<  >', 'slower, faster'],
    ],
  ],
  [
    'In a terminal',
    [
      ['Ctrl+Shift+F', 'search'],
      ['Ctrl+Shift+C', 'copy'],
      ['Ctrl+Shift+V', 'paste'],
      ['Ctrl+Shift+E', 'leave the terminal with the keyboard'],
      ['Ctrl+Shift+K', 'what else there is, such as Ctrl+W, which browsers keep'],
      ['Shift+mouse', 'select, where the program takes the mouse'],
      ['Ctrl +  Ctrl −  Ctrl 0', 'letters larger, smaller, as usual'],
    ],
  ],
];

/** Every key that does something. */
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

/** Asks before something that cannot be taken back. */
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
