import { element, say } from '../page/element';
import { plain } from '../log/ansi';
import type { AgentSpec } from '../frames/frames';
import type { Conversation, Usage } from './model';
import { usageOf } from './words';

const NARROW = '(max-width: 56rem)'; // as in the style: above the conversation, folded at first

/** Beside a conversation: the agent's program, its latest plan, and its usage. */
export class Side {
  readonly #plan = element('ul', { className: 'plan' });
  readonly #planned = element('section', { hidden: true }, element('h2', {}, 'Plan'), this.#plan);
  readonly #usage = element('p', { className: 'figure' });
  readonly #used = element('section', { hidden: true }, element('h2', {}, 'Usage'), this.#usage);
  readonly root: HTMLElement;
  #shownPlan: Conversation['plan'] = [];
  #shownUsage: Usage | null = null;

  constructor({ profile, protocol, model, thinking }: AgentSpec, relatives: HTMLElement) {
    const traits = [model, thinking === null ? null : `thinking ${thinking}`, protocol === 'acp' ? 'ACP' : protocol];
    const fold = element(
      'details',
      { open: !matchMedia(NARROW).matches },
      element('summary', {}, element('b', {}, profile), ' ', element('span', { className: 'quiet' }, traits.filter((each) => each !== null).join(' · '))),
      element('div', { className: 'about' }, this.#planned, this.#used, relatives),
    );
    this.root = element('aside', { className: 'beside', ariaLabel: 'About this agent', tabIndex: 0 }, fold);
  }

  show({ plan, usage }: Conversation): void {
    if (plan !== this.#shownPlan) {
      this.#shownPlan = plan;
      this.#planned.hidden = plan.length === 0;
      this.#plan.replaceChildren(...plan.map(stepOf));
    }
    if (usage !== this.#shownUsage && usage !== null) {
      this.#shownUsage = usage;
      this.#used.hidden = false;
      say(this.#usage, usageOf(usage));
    }
  }
}

const MARKS: Readonly<Record<string, string>> = { completed: '☑', in_progress: '◐' };

/** Its status is in the program's own word. */
function stepOf({ content, status }: { content: string; status: string }): HTMLElement {
  const step = element(
    'li',
    {},
    element('span', { className: 'mark', ariaHidden: 'true' }, MARKS[status] ?? '☐'),
    element('span', {}, plain(content), element('span', { className: 'unseen' }, ` (${plain(status).replaceAll('_', ' ')})`)),
  );
  step.dataset['status'] = status;
  return step;
}
