import type { Company } from '../attach/audience';
import type { SizePolicy, Viewer } from '../attach/wire';
import { button, element, say } from '../page/element';
import type { Choice } from '../page/palette';

/** Whose size the terminal has, in people's words. */
export const POLICIES: readonly { readonly policy: SizePolicy; readonly name: string; readonly what: string }[] = [
  { policy: 'latest', name: 'Latest', what: 'the window that was looked at last' },
  { policy: 'smallest', name: 'Smallest', what: 'so that all of it fits every window' },
  { policy: 'leader', name: 'Leader', what: 'mine, whoever else comes' },
  { policy: 'fixed', name: 'Fixed', what: 'stays as it is now' },
];

const ALONE: Company = { viewers: [], policy: 'latest', leader: null, self: '' };

/** Who is here, and whose size the terminal has: said in a word, and told and chosen in a panel. */
export class CompanyPanel {
  /** Says that others are here. */
  readonly others = button('', { className: 'link others', hidden: true, title: 'Who is here' }, () => undefined);
  readonly #list = element('ul', {});
  readonly #policies: HTMLElement;
  readonly #watches = element('input', { type: 'checkbox' });
  readonly #note = element('p', { className: 'note' });
  readonly root: HTMLElement;
  readonly #choose: (policy: SizePolicy) => void;
  readonly #watch: (only: boolean) => void;
  #company = ALONE;

  constructor(choose: (policy: SizePolicy) => void, watch: (only: boolean) => void) {
    this.#choose = choose;
    this.#watch = watch;
    this.#policies = element(
      'fieldset',
      { hidden: true },
      element('legend', {}, 'Whose size the terminal has'),
      ...POLICIES.map(({ policy, name, what }) => {
        const radio = element('input', { type: 'radio', name: 'size-policy', value: policy });
        radio.addEventListener('change', () => choose(policy));
        // Once more chosen, it is another who leads.
        if (policy === 'leader') radio.addEventListener('click', () => this.#leads() || choose(policy));
        return element('label', {}, radio, element('span', {}, name), element('small', {}, what));
      }),
    );
    this.#watches.addEventListener('change', () => watch(this.#watches.checked));
    this.root = element(
      'div',
      { className: 'sheet company', popover: 'auto', role: 'dialog', ariaLabel: 'Who is here' },
      element('h2', {}, 'Here now'),
      this.#list,
      this.#policies,
      this.#note,
      element('label', { className: 'watches' }, this.#watches, element('span', {}, 'Only watch'), element('small', {}, 'what I type goes nowhere')),
    );
    this.opens(this.others);
  }

  /** A button that shows the panel, beside itself. */
  opens(opener: HTMLButtonElement): void {
    opener.setAttribute('aria-haspopup', 'dialog');
    opener.popoverTargetElement = this.root;
    opener.addEventListener('click', () => {
      const { top, bottom, right } = opener.getBoundingClientRect();
      const isBelow = top < innerHeight / 2;
      const { style } = this.root;
      style.top = isBelow ? `${bottom + 6}px` : 'auto';
      style.bottom = isBelow ? 'auto' : `${innerHeight - top + 6}px`;
      style.right = `${Math.max(8, innerWidth - right)}px`;
    });
  }

  /** A terminal has a size; other tasks have none. */
  ofTerminal(): void {
    this.#policies.hidden = false;
  }

  show(company: Company, onlyWatches: boolean): void {
    this.#company = company;
    const others = company.viewers.length - 1;
    this.others.hidden = others < 1;
    say(this.others, others === 1 ? '1 other here' : `${others} others here`);
    this.#list.replaceChildren(...company.viewers.map((viewer) => this.#line(viewer)));
    this.#watches.checked = onlyWatches;
    for (const radio of this.#policies.querySelectorAll('input')) {
      radio.checked = radio.value === company.policy;
      radio.disabled = onlyWatches;
    }
    say(this.#note, this.#leadsWhom());
  }

  /** The same by name. */
  choices(): Choice[] {
    const watches = this.#watches.checked;
    const watch = {
      name: watches ? 'Type again, not only watch' : 'Only watch',
      hint: '',
      act: () => this.#watch(!watches),
    };
    if (this.#policies.hidden || watches) return [watch];
    const sizes = POLICIES.map(({ policy, name, what }) => ({
      name: `Terminal size: ${name.toLowerCase()}`,
      hint: policy === this.#company.policy && (policy !== 'leader' || this.#leads()) ? 'as it is now' : what,
      act: () => this.#choose(policy),
    }));
    return [...sizes, watch];
  }

  /** Who is here is not known while the connection is away. */
  away(): void {
    this.show(ALONE, this.#watches.checked);
  }

  /** The task has ended, and nobody is attached to it any more. */
  nobody(): void {
    this.show(ALONE, false);
    this.#policies.hidden = true;
  }

  #leads(): boolean {
    return this.#company.leader === this.#company.self;
  }

  #leadsWhom(): string {
    const { policy, leader, self } = this.#company;
    if (policy !== 'leader') return '';
    return leader === self ? 'You lead.' : leader === null ? 'Nobody who leads is here.' : `${leader} leads. Choose Leader again to lead yourself.`;
  }

  #line({ viewer, rights, rows, cols }: Viewer): HTMLElement {
    const { self, leader } = this.#company;
    const size = rows === null || cols === null ? '' : `${cols} × ${rows}`;
    return element(
      'li',
      {},
      element('b', {}, viewer === self ? `${viewer}, you` : viewer),
      element('span', { className: 'quiet' }, `${rights === 'control' ? 'may type' : 'watches'}${viewer === leader ? ', leads' : ''}`),
      element('span', { className: 'quiet figure' }, size),
    );
  }
}
