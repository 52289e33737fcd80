import type { ITheme } from '@xterm/xterm';
import { DARK, LIGHT, type Colours } from './colours';

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

function withNames({ background, foreground, cursor, selection, sixteen }: Colours): ITheme {
  const bright = (name: string): string => `bright${name[0]?.toUpperCase()}${name.slice(1)}`;
  return {
    background,
    foreground,
    cursor,
    cursorAccent: background,
    selectionBackground: selection,
    ...Object.fromEntries([...NAMES, ...NAMES.map(bright)].map((name, i) => [name, sixteen[i]])),
    overviewRulerBorder: '#00000000',
    scrollbarSliderBackground: `${foreground}30`,
    scrollbarSliderHoverBackground: `${foreground}50`,
    scrollbarSliderActiveBackground: `${foreground}70`,
  };
}

const PREFERS_DARK = matchMedia('(prefers-color-scheme: dark)');

export function theme(): ITheme {
  return withNames(PREFERS_DARK.matches ? DARK : LIGHT);
}

/** Until the returned function is called. */
export function onThemeChange(act: () => void): () => void {
  PREFERS_DARK.addEventListener('change', act);
  return () => PREFERS_DARK.removeEventListener('change', act);
}
