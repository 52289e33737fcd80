import { element, say } from '../page/element';
import { uniqueName } from '../page/unique';
import { resume, steer } from '../server/agents';
import type { Task } from '../server/api';
import type { Input } from './input';

/** Unsent messages of this page by task, kept while other views are shown. */
const drafts = new Map<string, string>();

/** The task whose field had the focus when it was left: another run begins the page again, and the user may be typing. */
let focused: string | null = null;

/** The field for a message to the agent. */
export class SteerBox {
  readonly root: HTMLFormElement;
  readonly #task: Task;
  readonly #resumed: () => void;
  readonly #text: HTMLTextAreaElement;
  readonly #send = element('button', { type: 'submit', className: 'primary' }, 'Send');
  readonly #note = element('p', { className: 'note', role: 'status', id: 'steer-note' });
  readonly #complaint = element('p', { className: 'complaint', role: 'alert' });
  #input: Input = { is: 'off', why: '', isFinal: false };
  #name = uniqueName(); // the idempotency key: several submits send one message
  #isSending = false;

  /**
   * @param resumed is called when another run has begun
   * @param left is called when Escape leaves the field
   */
  constructor(task: Task, resumed: () => void, left: () => void) {
    this.#task = task;
    this.#resumed = resumed;
    this.#text = element('textarea', { rows: 2, ariaLabel: 'Message to the agent', value: drafts.get(task.task_id) ?? '' });
    this.#text.setAttribute('aria-describedby', this.#note.id);
    this.root = element('form', { className: 'steer' }, this.#complaint, this.#text, this.#send, this.#note);
    this.#text.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') left();
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.root.requestSubmit();
    });
    this.#text.addEventListener('input', () => {
      drafts.set(task.task_id, this.#text.value);
      say(this.#complaint, '');
      this.#name = uniqueName();
      this.#draw();
    });
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
  }

  /** It is in the page now. */
  comes(): void {
    if (focused === this.#task.task_id) this.focus();
    focused = null;
  }

  /** It is about to leave the page. */
  leaves(): void {
    if (document.activeElement === this.#text) focused = this.#task.task_id;
  }

  /** Whether a message is on its way. */
  get isSending(): boolean {
    return this.#isSending;
  }

  focus(): void {
    this.#text.focus();
  }

  show(input: Input): void {
    if (input.is !== this.#input.is) say(this.#complaint, '');
    this.#input = input;
    this.#draw();
  }

  #draw(): void {
    const { is } = this.#input;
    this.#text.disabled = this.#input.is === 'off' && this.#input.isFinal;
    this.#text.readOnly = this.#isSending;
    this.#text.placeholder = is === 'resume' ? 'Continue the conversation' : is === 'steer' ? 'Message to the agent' : '';
    this.#send.disabled = is === 'off' || this.#isSending || this.#text.value.trim() === '';
    say(this.#send, this.#isSending ? 'Sending…' : is === 'resume' ? 'Resume' : 'Send');
    say(this.#note, this.#input.is === 'off' ? this.#input.why : 'Enter sends, Shift+Enter is a new line');
  }

  async #submit(): Promise<void> {
    const message = this.#text.value;
    const { is } = this.#input;
    if (is === 'off' || this.#isSending || message.trim() === '') return;
    this.#isSending = true;
    say(this.#complaint, '');
    this.#draw();
    try {
      let isDelivered = true;
      if (is === 'resume') await resume(this.#task, message, this.#name);
      else isDelivered = await steer(this.#task, message, this.#name);
      this.#text.value = '';
      drafts.delete(this.#task.task_id);
      this.#name = uniqueName();
      if (is === 'resume') this.#resumed();
      if (!isDelivered) say(this.#complaint, 'Sent. The agent gets it as soon as it can be interrupted.');
    } catch (refused) {
      say(this.#complaint, (refused as Error).message);
    } finally {
      this.#isSending = false;
      this.#draw();
    }
  }
}
