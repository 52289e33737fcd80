import { element, say } from '../page/element';
import { cancelTask, Refusal, signalTask, type Task } from '../server/api';
import { nameOf, runningTime } from '../tasks/words';
import { stopDialog, type StopChoice } from './stop-dialog';

const KILL_AFTER_MS = 5_000; // the server sends TERM, then KILL to all remaining processes
const CONFLICT = 409;

/** This long after the request. The button cannot know which processes got TERM; the record and the end of the task show that. */
export function stoppingFor(ms: number): string {
  const left = Math.ceil((KILL_AFTER_MS - ms) / 1000);
  return left > 0 ? `Kill in ${left} s` : 'Finishing…';
}

/** The button that stops a task: it asks first, then counts to KILL, and offers not to wait for that. */
export class Stop {
  readonly root: HTMLButtonElement;
  readonly #id: string;
  readonly #complain: (message: string) => void;
  readonly #say = element('span', {}, 'Stop');
  #task: Task | undefined;
  #dialog: HTMLDialogElement | undefined;
  #since: number | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(id: string, complain: (message: string) => void) {
    this.#id = id;
    this.#complain = complain;
    this.root = element('button', { type: 'button', className: 'stop', hidden: true }, this.#say);
    this.root.setAttribute('aria-haspopup', 'dialog');
    this.#title();
    this.root.addEventListener('click', () => this.ask());
  }

  /**
   * Asks whether to stop the task, or, while it is stopping, whether to kill it now.
   *
   * @param letter if a key opened it: the rest of a typed word does not answer then
   */
  ask(letter?: KeyboardEvent): void {
    if (this.#task === undefined || this.root.disabled || document.querySelector('dialog[open]') !== null) return;
    this.#dialog = openDialog(this.#task, this.#since !== undefined, (choice) => void this.carryOut(choice), letter);
  }

  async carryOut(choice: StopChoice): Promise<void> {
    if (choice !== 'interrupt') this.asked();
    await carryOut(this.#id, choice).catch((why: unknown) => {
      if (!(why instanceof Refusal)) throw why;
      if (choice !== 'interrupt') this.#failed();
      this.#complain(why.message);
    });
  }

  /** There is a running task to stop. */
  runs(task: Task): void {
    this.#task = task;
    this.root.hidden = false;
  }

  /** Counts down to KILL from this long ago: the page may learn of the request later than it was made. */
  asked(agoMs = 0): void {
    const before = this.#since;
    this.#since = Math.min(before ?? Infinity, performance.now() - Math.max(0, agoMs));
    if (before !== undefined) return;
    this.#dialog?.close(); // its question is answered
    this.#timer = setInterval(() => this.#show(), 250);
    this.#show();
  }

  /** The stop failed, and can be tried again. */
  #failed(): void {
    clearInterval(this.#timer);
    this.#since = undefined;
    this.root.disabled = false;
    this.#title();
    say(this.#say, 'Stop');
  }

  ended(): void {
    this.close();
    this.#task = undefined;
    this.root.hidden = true;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#dialog?.close();
  }

  #show(): void {
    const ms = performance.now() - (this.#since ?? 0);
    say(this.#say, stoppingFor(ms));
    this.#title();
    if (ms < KILL_AFTER_MS) return;
    this.root.disabled = true; // KILL has been sent, or no process was left
    this.#dialog?.close();
  }

  #title(): void {
    this.root.title =
      this.#since === undefined
        ? 'Stop, interrupt or kill it (s, where its terminal is not shown)'
        : 'TERM was sent; click to kill it now';
  }
}

/** Asks how to stop a task that the page does not show. */
export function askStop(task: Task, complain: (message: string) => void): void {
  if (document.querySelector('dialog[open]') !== null) return;
  openDialog(task, task.phase === 'stopping', (choice) => {
    carryOut(task.task_id, choice).catch((why: unknown) => {
      if (!(why instanceof Refusal)) throw why;
      complain(why.message);
    });
  });
}

function openDialog(
  task: Task,
  isStopping: boolean,
  choose: (choice: StopChoice) => void,
  letter?: KeyboardEvent,
): HTMLDialogElement {
  const asked = {
    name: nameOf(task),
    runningFor: task.started_at_ms === null ? null : runningTime(task, Date.now()),
    isStopping,
  };
  const dialog = stopDialog(asked, choose, letter);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

async function carryOut(id: string, choice: StopChoice): Promise<void> {
  if (choice === 'interrupt') return signalTask(id, 'INT');
  // Also before a kill, so that the task ends as stopped.
  await cancelTask(id, choice === 'stop' ? 'stopped in the browser' : 'killed in the browser');
  if (choice === 'kill') {
    await signalTask(id, 'KILL').catch((why: unknown) => {
      if (!isTooLate(why)) throw why;
    });
  }
}

/** TERM was enough, or the program had not started. */
function isTooLate(why: unknown): boolean {
  return why instanceof Refusal && why.status === CONFLICT;
}
