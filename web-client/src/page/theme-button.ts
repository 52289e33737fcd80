import { button } from './element';
import type { Choice } from './palette';
import { chooseTheme, chosenTheme, onThemeChange, THEMES, type Theme } from './theme';

const NAMES: Readonly<Record<Theme, string>> = { system: 'as the system', light: 'light', dark: 'dark' };

/** The button that goes to the next theme. */
export function themeButton(): HTMLButtonElement {
  const made = button('', { className: 'icon bare theme' }, () => {
    chooseTheme(THEMES[(THEMES.indexOf(chosenTheme()) + 1) % THEMES.length] ?? 'system');
  });
  const show = (): void => {
    made.title = `Theme: ${NAMES[chosenTheme()]}`;
    made.ariaLabel = made.title;
    made.dataset['icon'] = chosenTheme();
  };
  onThemeChange(show);
  show();
  return made;
}

/** The themes in the palette. */
export function themeChoices(): Choice[] {
  return THEMES.map((theme) => ({
    name: `Theme: ${NAMES[theme]}`,
    hint: theme === chosenTheme() ? 'current' : '',
    act: () => chooseTheme(theme),
  }));
}
