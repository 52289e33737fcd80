import { button, element, say } from '../page/element';
import { answer } from '../server/agents';
import { Refusal } from '../server/api';

const NEEDS_TOKEN = 403;
const WRONG_TOKEN = 401;

/** The answer token, kept until the page is left: it is written nowhere. */
let answerToken: string | null = null;

/** The open question of policy or the agent, with the answers. */
export class QuestionBar {
  readonly #question = element('p', { className: 'question' });
  readonly #reason = element('input', { ariaLabel: 'Reason', placeholder: 'Reason (recorded)', maxLength: 1000 });
  readonly #token = element('input', { type: 'password', ariaLabel: 'Answer token', placeholder: 'Answer token', autocomplete: 'off', hidden: true });
  readonly #complaint = element('p', { className: 'complaint', role: 'alert' });
  readonly #allow = button('Allow', { className: 'primary' }, () => void this.#answer(true));
  readonly #deny = button('Deny', { className: 'danger' }, () => void this.#answer(false));
  readonly root = element(
    'section',
    { className: 'ask-bar', ariaLabel: 'Question', hidden: true },
    this.#question,
    this.#reason,
    this.#token,
    this.#allow,
    this.#deny,
    this.#complaint,
  );
  readonly #id: string;
  #shown: string | null = null;

  constructor(id: string) {
    this.#id = id;
    this.#question.setAttribute('role', 'status');
  }

  show(question: string | null): void {
    if (question === this.#shown) return;
    this.#shown = question;
    this.root.hidden = question === null;
    say(this.#question, question ?? '');
    say(this.#complaint, '');
    this.#reason.value = '';
    this.#busy(false);
  }

  async #answer(allow: boolean): Promise<void> {
    const asked = this.#shown;
    if (this.#token.value.trim() !== '') answerToken = this.#token.value.trim();
    say(this.#complaint, '');
    this.#busy(true);
    try {
      await answer(this.#id, allow, this.#reason.value.trim() || 'answered in the browser', answerToken);
      this.#token.hidden = true;
      this.#token.value = '';
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused;
      if (this.#shown !== asked) return;
      const isWrong = refused.status === WRONG_TOKEN && answerToken !== null;
      say(this.#complaint, isWrong ? 'This is not the answer token of this server.' : refused.message);
      if (isWrong || refused.status === NEEDS_TOKEN) {
        answerToken = null;
        this.#token.hidden = false;
        this.#token.focus();
      }
    } finally {
      this.#busy(false);
    }
  }

  #busy(is: boolean): void {
    this.#allow.disabled = this.#deny.disabled = is;
  }
}
