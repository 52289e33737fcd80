/** Moves the focus by this many rows of a list; without a focused row, to the first row in view. */
export function moveFocus(list: HTMLElement, by: number): void {
  const links = [...list.querySelectorAll<HTMLElement>('a.row')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const inView = links.findIndex((link) => link.getBoundingClientRect().top >= 0);
  links[Math.min(links.length - 1, Math.max(0, at < 0 ? inView : at + by))]?.focus();
}
