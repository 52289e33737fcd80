import type { ITheme } from '@xterm/xterm';
import { isDark } from '../page/theme';

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

/** The sixteen colours of terminals; logs use the same except black and white. All are readable on the background; xterm.js raises the contrast of other pairs. */
export const DARK: ITheme = withNames('#0e1318', '#d6dee6', '#7fb6ee', '#2c4a68', [
  '#4a5763',
  '#f2777a',
  '#7cc68d',
  '#e6bd6a',
  '#75b0ee',
  '#c79bf0',
  '#62c6c6',
  '#d6dee6',
  '#7b8a98',
  '#ff9b9b',
  '#9be0aa',
  '#f5d489',
  '#9cc8f7',
  '#dcb8fa',
  '#8be0e0',
  '#ffffff',
]);

export const LIGHT: ITheme = withNames('#ffffff', '#1f2a34', '#1d63a8', '#c9def2', [
  '#1f2a34',
  '#b3261e',
  '#1b7f4b',
  '#8a5a00',
  '#1d63a8',
  '#7b3fb0',
  '#0f7482',
  '#c3ccd4',
  '#4a5763',
  '#c62f26',
  '#20733f',
  '#946200',
  '#2470bd',
  '#8a4cc2',
  '#0d7d8c',
  '#ffffff',
]);

function withNames(
  background: string,
  foreground: string,
  cursor: string,
  selection: string,
  colours: readonly string[],
): ITheme {
  const bright = (name: string): string => `bright${name[0]?.toUpperCase()}${name.slice(1)}`;
  return {
    background,
    foreground,
    cursor,
    cursorAccent: background,
    selectionBackground: selection,
    ...Object.fromEntries([...NAMES, ...NAMES.map(bright)].map((name, i) => [name, colours[i]])),
    overviewRulerBorder: '#00000000',
    scrollbarSliderBackground: `${foreground}30`,
    scrollbarSliderHoverBackground: `${foreground}50`,
    scrollbarSliderActiveBackground: `${foreground}70`,
  };
}

export function theme(): ITheme {
  return isDark() ? DARK : LIGHT;
}
