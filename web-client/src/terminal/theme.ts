import type { ITheme } from '@xterm/xterm';
import { isDark } from '../page/theme';
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

export function theme(): ITheme {
  return withNames(isDark() ? DARK : LIGHT);
}
