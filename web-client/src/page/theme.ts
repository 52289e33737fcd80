/** Light, dark, or as the system says: chosen in the page, kept by the browser. `public/theme.js` applies it before the first paint. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEPT = 'penstock.theme';
const CHANGED = 'penstock-theme';
const prefersDark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

export function chosenTheme(): Theme {
  return THEMES.find((each) => each === document.documentElement.dataset['theme']) ?? 'system';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, theme);
  apply(theme);
}

export function isDark(): boolean {
  const theme = chosenTheme();
  return theme === 'system' ? prefersDark().matches : theme === 'dark';
}

/** Until the returned function is called. */
export function onThemeChange(act: () => void): () => void {
  const system = prefersDark();
  system.addEventListener('change', act);
  document.addEventListener(CHANGED, act);
  return () => {
    system.removeEventListener('change', act);
    document.removeEventListener(CHANGED, act);
  };
}

function apply(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  document.dispatchEvent(new Event(CHANGED));
}

/** Takes the choice of other tabs. */
export function followOtherTabs(): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === KEPT) apply(newValue === 'light' || newValue === 'dark' ? newValue : 'system');
  });
}
