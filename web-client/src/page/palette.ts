import { element } from './element';

export interface Choice {
  readonly name: string;
  readonly hint: string;
  act(): void;
}

const SHOWN = 50; // more choices are not read

/** The choices that contain the typed letters in this order, those with adjacent letters first. */
export function matching(choices: readonly Choice[], typed: string): Choice[] {
  const wanted = typed.trim().toLowerCase();
  const rank = ({ name }: Choice): number => {
    const text = name.toLowerCase();
    const at = text.indexOf(wanted);
    if (at >= 0) return at;
    let from = 0;
    for (const letter of wanted) {
      from = text.indexOf(letter, from) + 1;
      if (from === 0) return Infinity;
    }
    return 1000 + from;
  };
  return choices
    .map((choice) => [rank(choice), choice] as const)
    .filter(([place]) => place < Infinity)
    .sort(([a], [b]) => a - b)
    .map(([, choice]) => choice)
    .slice(0, SHOWN);
}

/** The command palette: commands by their names, and the newest tasks, which load a moment later. */
export function paletteDialog(choices: readonly Choice[], later: Promise<readonly Choice[]>): HTMLDialogElement {
  let all = choices;
  let shown: readonly Choice[] = [];
  let at = 0;
  const field = element('input', {
    type: 'text',
    placeholder: 'Do something, or go to a task',
    ariaLabel: 'Do something, or go to a task',
    role: 'combobox',
    ariaExpanded: 'true',
    spellcheck: false,
    autocomplete: 'off',
  });
  const list = element('ul', { id: 'palette-choices', role: 'listbox' });
  field.setAttribute('aria-controls', list.id);
  const dialog = element('dialog', { className: 'sheet palette', ariaLabel: 'Palette' }, field, list);

  const choose = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    dialog.close();
    choice.act();
  };
  const draw = (): void => {
    shown = matching(all, field.value);
    at = Math.max(0, Math.min(at, shown.length - 1));
    list.replaceChildren(
      ...shown.map((choice, i) => {
        const item = element(
          'li',
          { id: `palette-${i}`, role: 'option', ariaSelected: String(i === at) },
          element('span', {}, choice.name),
          element('small', {}, choice.hint),
        );
        item.addEventListener('click', () => choose(choice));
        return item;
      }),
    );
    field.setAttribute('aria-activedescendant', shown.length === 0 ? '' : `palette-${at}`);
    list.children[at]?.scrollIntoView({ block: 'nearest' });
  };
  field.addEventListener('input', () => {
    at = 0;
    draw();
  });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') choose(shown[at]);
    else if (event.key === 'ArrowDown') at = (at + 1) % Math.max(1, shown.length);
    else if (event.key === 'ArrowUp') at = (at - 1 + shown.length) % Math.max(1, shown.length);
    else return;
    event.preventDefault();
    if (dialog.open) draw();
  });
  dialog.addEventListener('close', () => dialog.remove());
  void later.then((more) => {
    all = [...choices, ...more];
    draw();
  });
  draw();
  return dialog;
}
