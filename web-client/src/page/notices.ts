import { element } from './element';

/** Notifications of the system about tasks: only if the user has turned them on, and only while the page is not looked at. */

const KEY = 'penstock.notices';

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
  const show = (): void => {
    made.ariaPressed = String(notifies());
    made.dataset['icon'] = notifies() ? 'bell' : 'bell-off';
    made.title = `Notifications when a task of an open page ends, fails or asks: ${notifies() ? 'on' : 'off'}`;
  };
  made.addEventListener('click', () => {
    const on = !notifies();
    void turnNotices(on).then((is) => {
      show();
      if (on && !is) refused('The browser does not let this page show notifications.');
    });
  });
  show();
  return made;
}
