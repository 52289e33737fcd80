import { visible } from './visible';

/** An element with its properties and children, in one expression. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<Omit<HTMLElementTagNameMap[K], 'children' | 'style' | 'dataset'>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  Object.assign(made, properties);
  if (properties.title !== undefined) made.title = visible(properties.title);
  made.append(...children.map((each) => (typeof each === 'string' ? visible(each) : each)));
  return made;
}

/** An element of the page's HTML. */
export function found<T extends HTMLElement>(id: string, kind: new () => T): T {
  const there = document.getElementById(id);
  if (!(there instanceof kind)) throw new Error(`the page has no ${kind.name} with the id '${id}'`);
  return there;
}

/** A button that does not submit a form. */
export function button(
  text: string,
  properties: Partial<Omit<HTMLButtonElement, 'children' | 'style' | 'dataset'>>,
  act: () => void,
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...properties }, text);
  made.addEventListener('click', act);
  return made;
}

/** Sets a text only if it differs, because a screen reader reads every change. */
export function say(where: Element, text: string): void {
  const shown = visible(text);
  if (where.textContent !== shown) where.textContent = shown;
}
