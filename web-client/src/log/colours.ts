import { DARK, LIGHT, type Colours } from '../terminal/colours';
import type { Colour, Style } from './ansi';

const LEAST_CONTRAST = 4.5; // WCAG, level AA
const STEPS = 20; // from a colour to white or black
const DIM = 0.4; // the share of the background in dim text

type Rgb = readonly [number, number, number];

/** The colours of a piece of text, readable in light and dark; null stands for the usual one. */
export interface Look {
  readonly color: string | null;
  readonly background: string | null;
}

const looks = new Map<string, Look>();
const MOST_LOOKS = 10_000; // a program may write all colours there are

/** The colours of a style. The contrast of text is raised where the program's own is too low to read. */
export function lookOf(style: Style): Look {
  const key = `${style.fg} ${style.bg} ${style.inverse} ${style.dim}`;
  let look = looks.get(key);
  if (look === undefined) {
    if (looks.size >= MOST_LOOKS) looks.clear();
    look = madeOf(style);
    looks.set(key, look);
  }
  return look;
}

function madeOf({ fg, bg, inverse, dim }: Style): Look {
  if (fg === null && bg === null && !inverse && !dim) return { color: null, background: null };
  const [light, dark] = [LIGHT, DARK].map((colours) => {
    const ground = rgbOf(bg, colours) ?? hex(colours.background);
    const ink = rgbOf(fg, colours) ?? hex(colours.foreground);
    const [on, text] = inverse ? [ink, ground] : [ground, ink];
    return { text: readable(dim ? mixed(text, on, DIM) : text, on), on };
  }) as [{ text: Rgb; on: Rgb }, { text: Rgb; on: Rgb }];
  return {
    color: both(light.text, dark.text),
    background: bg === null && !inverse ? null : both(light.on, dark.on),
  };
}

/** The colour itself, or the nearest one on its way to white or black that can be read on this background. */
export function readable(text: Rgb, on: Rgb): Rgb {
  const [white, black]: [Rgb, Rgb] = [[255, 255, 255], [0, 0, 0]];
  const end = contrast(white, on) > contrast(black, on) ? white : black;
  for (let step = 0; step < STEPS; step++) {
    const next = mixed(text, end, step / STEPS);
    if (contrast(next, on) >= LEAST_CONTRAST) return next;
  }
  return end;
}

/** The contrast of two colours, as WCAG defines it. */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function mixed(one: Rgb, other: Rgb, share: number): Rgb {
  return one.map((part, i) => Math.round(part + ((other[i] ?? 0) - part) * share)) as unknown as Rgb;
}

function rgbOf(colour: Colour, { sixteen }: Colours): Rgb | null {
  if (colour === null) return null;
  if (typeof colour === 'number') return hex(sixteen[colour] ?? '#000000');
  return (colour.match(/\d+/g) ?? []).map(Number) as unknown as Rgb;
}

function hex(colour: string): Rgb {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) as unknown as Rgb;
}

function both(light: Rgb, dark: Rgb): string {
  return `light-dark(rgb(${light.join(' ')}), rgb(${dark.join(' ')}))`;
}
