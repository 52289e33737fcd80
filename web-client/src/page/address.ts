/**
 * The address whose page is shown. Between a click on a link and its `hashchange` event, the browser already has the new address, and
 * timers may run.
 */
let shown = location.hash;

/** Reads the browser's address; its page is shown from now on. */
export function showAddress(): string {
  shown = location.hash;
  return shown;
}

/** Writes a change of the page into its address. Does nothing after a link was followed, because it would undo that. */
export function updateAddress(address: string): boolean {
  if (location.hash !== shown) return false;
  history.replaceState(history.state, '', address);
  shown = location.hash;
  return true;
}
