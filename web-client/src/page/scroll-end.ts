const STILL_MS = 150;

/**
 * Calls back when a scroll of this element has ended, by whatever it was scrolled. Browsers without `scrollend` (Safari before 26.2)
 * do not say so: there it has ended when no step has come for a while.
 */
export function onScrollEnd(scrolled: HTMLElement, ended: () => void): void {
  if ('onscrollend' in scrolled) {
    scrolled.addEventListener('scrollend', ended);
    return;
  }
  let still: ReturnType<typeof setTimeout> | undefined;
  (scrolled as HTMLElement).addEventListener('scroll', () => {
    clearTimeout(still);
    still = setTimeout(ended, STILL_MS);
  });
}
