/** The colours of terminals and logs. All are readable on the background; the contrast of other pairs is raised. */
export interface Colours {
  readonly background: string;
  readonly foreground: string;
  readonly cursor: string;
  readonly selection: string;
  /** The sixteen colours of terminals, in their order. */
  readonly sixteen: readonly string[];
}

export const DARK: Colours = {
  background: '#0e1318',
  foreground: '#d6dee6',
  cursor: '#7fb6ee',
  selection: '#2c4a68',
  sixteen: [
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
  ],
};

export const LIGHT: Colours = {
  background: '#ffffff',
  foreground: '#1f2a34',
  cursor: '#1d63a8',
  selection: '#c9def2',
  sixteen: [
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
  ],
};
