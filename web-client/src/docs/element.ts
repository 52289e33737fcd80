/** An element with its properties and children, in one expression. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<Omit<HTMLElementTagNameMap[K], 'children' | 'style' | 'dataset'>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

/** One that the page has from the start. */
export function found<T extends HTMLElement>(id: string, kind: new () => T): T {
  const there = document.getElementById(id);
  if (!(there instanceof kind)) throw new Error(`docs.html has no ${kind.name} with the id '${id}'`);
  return there;
}
