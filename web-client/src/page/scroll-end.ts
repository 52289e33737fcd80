const STILL_MS = 150;

/**
 * Calls back when a scroll of this element has ended, however it was scrolled. In browsers without `scrollend` (Safari before 26.2), a
 * scroll has ended when no `scroll` event has come for a while.
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
