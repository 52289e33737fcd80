import { element } from './element';
import type { Choice } from './palette';

/** Notifications of the system about tasks: only if the user has turned them on, and only while the page is not looked at. */

const KEY = 'penstock.notices';
const CHANGED = 'penstock-notices'; // an event of the document

/** Whether this browser can show them at all: not over plain HTTP from another machine. */
export function canNotify(): boolean {
  return 'Notification' in window && window.isSecureContext;
}

export function notifies(): boolean {
  return canNotify() && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on';
}

/** Turns them on or off; asks the browser for its permission if it is needed. Returns whether they are on. */
export async function turnNotices(on: boolean): Promise<boolean> {
  if (!on) localStorage.removeItem(KEY);
  else if (canNotify() && (await Notification.requestPermission()) === 'granted') localStorage.setItem(KEY, 'on');
  return notifies();
}

/** Shows a notification; a newer one with the same tag replaces it. A click on it brings this page to the front. */
export function notify(title: string, body: string, tag: string): void {
  if (!notifies() || (document.visibilityState === 'visible' && document.hasFocus())) return;
  const shown = new Notification(title, { body, tag, icon: document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? '' });
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}

/** The switch; null where the browser cannot show notifications. @param refused is called with the reason if it stays off */
export function noticesSwitch(refused: (reason: string) => void): HTMLButtonElement | null {
  if (!canNotify()) return null;
  const made = element('button', { type: 'button', className: 'icon bare notices', ariaLabel: 'Notifications' });
  document.addEventListener(CHANGED, () => show());
  const show = (): void => {
    made.ariaPressed = String(notifies());
    made.dataset['icon'] = notifies() ? 'bell' : 'bell-off';
    made.title = `Notifications when a task of an open page ends, fails or asks: ${notifies() ? 'on' : 'off'}`;
  };
  made.addEventListener('click', () => toggle(refused));
  show();
  return made;
}

/** The switch in the palette. */
export function noticesChoices(refused: (reason: string) => void): Choice[] {
  if (!canNotify()) return [];
  return [{ name: `Turn ${notifies() ? 'off' : 'on'} notifications`, hint: '', act: () => toggle(refused) }];
}

function toggle(refused: (reason: string) => void): void {
  const on = !notifies();
  void turnNotices(on).then((is) => {
    document.dispatchEvent(new Event(CHANGED));
    if (on && !is) refused('The browser does not let this page show notifications.');
  });
}
