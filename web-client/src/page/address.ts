/**
 * The address whose page is shown. From a click on a link until its `hashchange`, the browser's address is already another: timers that
 * are due run in between.
 */
let shown = location.hash;

/** The browser's address, whose page is shown from now on. */
export function showAddress(): string {
  shown = location.hash;
  return shown;
}

/** Writes what has changed on the page into its address. Does nothing after a link was followed: it would undo that. */
export function updateAddress(address: string): boolean {
  if (location.hash !== shown) return false;
  history.replaceState(null, '', address);
  shown = location.hash;
  return true;
}
