import type { Company } from '../attach/audience';
import type { SizePolicy, Viewer } from '../attach/wire';
import { button, element, say } from '../page/element';
import type { Choice } from '../page/palette';

/** The size policies, as the panel shows them. */
export const POLICIES: readonly { readonly policy: SizePolicy; readonly name: string; readonly what: string }[] = [
  { policy: 'latest', name: 'Latest', what: 'the most recently active window' },
  { policy: 'smallest', name: 'Smallest', what: 'the smallest window, so that it fits all' },
  { policy: 'leader', name: 'Leader', what: 'my window' },
  { policy: 'fixed', name: 'Fixed', what: 'keeps its current size' },
];

const ALONE: Company = { viewers: [], policy: 'latest', leader: null, self: '' };

/** The viewers and the size policy: a button with their number, and a panel to see and choose. */
export class CompanyPanel {
  /** Shows that there are other viewers. */
  readonly others = button('', { className: 'link others', hidden: true, title: 'Viewers' }, () => undefined);
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
      element('legend', {}, 'Terminal size follows'),
      ...POLICIES.map(({ policy, name, what }) => {
        const radio = element('input', { type: 'radio', name: 'size-policy', value: policy });
        radio.addEventListener('change', () => choose(policy));
        // Choosing it again takes the lead from another viewer.
        if (policy === 'leader') radio.addEventListener('click', () => this.#leads() || choose(policy));
        return element('label', {}, radio, element('span', {}, name), element('small', {}, what));
      }),
    );
    this.#watches.addEventListener('change', () => watch(this.#watches.checked));
    this.root = element(
      'div',
      { className: 'sheet company', popover: 'auto', role: 'dialog', ariaLabel: 'Viewers' },
      element('h2', {}, 'Viewers'),
      this.#list,
      this.#policies,
      this.#note,
      element('label', { className: 'watches' }, this.#watches, element('span', {}, 'Read-only'), element('small', {}, 'typing is off')),
    );
    this.opens(this.others);
  }

  /** A button that shows the panel next to itself. */
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
    say(this.others, others === 1 ? '1 other viewer' : `${others} other viewers`);
    this.#list.replaceChildren(...company.viewers.map((viewer) => this.#line(viewer)));
    this.#watches.checked = onlyWatches;
    for (const radio of this.#policies.querySelectorAll('input')) {
      radio.checked = radio.value === company.policy;
      radio.disabled = onlyWatches;
    }
    say(this.#note, this.#leadsWhom());
  }

  /** Its commands in the palette. */
  choices(): Choice[] {
    const watches = this.#watches.checked;
    const watch = {
      name: watches ? 'Turn on typing' : 'Turn off typing (read-only)',
      hint: '',
      act: () => this.#watch(!watches),
    };
    if (this.#policies.hidden || watches) return [watch];
    const sizes = POLICIES.map(({ policy, name, what }) => ({
      name: `Terminal size: ${name.toLowerCase()}`,
      hint: policy === this.#company.policy && (policy !== 'leader' || this.#leads()) ? 'current' : what,
      act: () => this.#choose(policy),
    }));
    return [...sizes, watch];
  }

  /** The viewers are unknown without a connection. */
  away(): void {
    this.show(ALONE, this.#watches.checked);
  }

  /** The task has ended, and its viewers are detached. */
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
    return leader === self ? 'You lead.' : leader === null ? 'The leader is not connected.' : `${leader} leads. Choose Leader again to lead yourself.`;
  }

  #line({ viewer, rights, rows, cols }: Viewer): HTMLElement {
    const { self, leader } = this.#company;
    const size = rows === null || cols === null ? '' : `${cols} × ${rows}`;
    return element(
      'li',
      {},
      element('b', {}, viewer === self ? `${viewer}, you` : viewer),
      element('span', { className: 'quiet' }, `${rights === 'control' ? 'can type' : 'read-only'}${viewer === leader ? ', leads' : ''}`),
      element('span', { className: 'quiet figure' }, size),
    );
  }
}
