import { button, element } from '../page/element';
import { closeWhenTyped } from '../page/typed';

/** The ways to stop a running task: TERM then KILL, INT, or KILL at once. */
export type StopChoice = 'stop' | 'interrupt' | 'kill';

/** The facts about the task that the dialog shows. */
export interface Stoppable {
  readonly name: string;
  /** Null while its program has not been started. */
  readonly runningFor: string | null;
  readonly isStopping: boolean;
}

/** Asks how to stop a task. Enter takes the first choice. */
export function stopDialog(
  task: Stoppable,
  choose: (choice: StopChoice) => void,
  letter: KeyboardEvent | undefined,
): HTMLDialogElement {
  const { name, runningFor, isStopping } = task;
  const question = isStopping ? `Kill “${name}” now?` : `Stop “${name}”?`;
  const dialog = element('dialog', { className: 'sheet ask stop-ask', ariaLabel: question });
  const choice = (text: string, what: StopChoice, className: string): HTMLButtonElement =>
    button(text, { className, autofocus: className === 'primary' }, () => {
      dialog.close();
      choose(what);
    });
  const detail = isStopping
    ? 'TERM was sent, and KILL follows 5 s later. Enter kills it now.'
    : runningFor === null
      ? 'It has not started yet. Enter stops it.'
      : `Running for ${runningFor}. Enter stops it: TERM first, KILL after 5 s if it still runs.`;
  const others = isStopping || runningFor === null ? [] : [
    choice('Interrupt (INT)', 'interrupt', ''),
    choice('Kill now', 'kill', 'danger'),
  ];
  dialog.append(
    element('h2', {}, question),
    element('p', {}, detail),
    element(
      'p',
      { className: 'actions' },
      button('Cancel', {}, () => dialog.close()),
      ...others,
      isStopping ? choice('Kill now', 'kill', 'primary') : choice('Stop', 'stop', 'primary'),
    ),
  );
  dialog.addEventListener('close', () => dialog.remove());
  if (letter !== undefined) closeWhenTyped(dialog, letter);
  return dialog;
}
