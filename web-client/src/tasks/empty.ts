import { button, element } from '../page/element';

/** Commands that work everywhere, to begin with. */
const EXAMPLES: readonly (readonly [string, string])[] = [
  ['Open a shell', 'bash'],
  ['Run tests', 'npm test'],
  ['See what runs', 'top'],
];
const ROWS = 6;

/** What a list without tasks shows: how to begin. */
export function emptyList(ofSession: boolean, start: (command?: string) => void): HTMLElement {
  return element(
    'div',
    { className: 'empty', hidden: true },
    element('h2', {}, ofSession ? 'This session has no tasks' : 'No tasks yet'),
    element('p', {}, 'Run a command: it keeps running when you close this page, and its output is saved.'),
    element(
      'div',
      { className: 'to-try' },
      ...EXAMPLES.map(([name, command]) => {
        const made = button('', {}, () => start(command));
        made.append(element('b', {}, name), element('code', {}, command));
        return made;
      }),
    ),
    button('Start a task', { className: 'primary' }, () => start()),
    element('p', { className: 'quiet' }, element('kbd', {}, 'n'), ' starts a task, ', element('kbd', {}, '?'), ' lists all keys'),
  );
}

/** The rows before the first answer. */
export function skeleton(): HTMLElement {
  return element(
    'div',
    { className: 'skeleton sheet', ariaHidden: 'true' },
    ...Array.from({ length: ROWS }, () => element('span', {})),
  );
}
