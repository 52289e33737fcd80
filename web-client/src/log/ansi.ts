/** Colours in a line of a log. Only SGR (colours, bold and the like) is applied; cursor movements mean nothing in a log and are removed. */

/** A colour of the sixteen by its number, or any colour by its value. */
export type Colour = number | string | null;

export interface Style {
  readonly fg: Colour;
  readonly bg: Colour;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
}

export interface Span {
  readonly text: string;
  readonly style: Style;
}

export const PLAIN: Style = {
  fg: null,
  bg: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
};

// CSI, OSC (to BEL or ST, or the end of the line), other escapes of two characters, and control characters but the tab and the end of a line.
// eslint-disable-next-line no-control-regex
const ESCAPE =
  /\x1b\[([0-9:;<=>?]*)[ -/]*([@-~])|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]|[\x00-\x08\x0b-\x1f\x7f]/g;

/** The parts of a line that share a style, and the style at its end. */
export function spansOf(line: string, begin: Style = PLAIN): { spans: Span[]; end: Style } {
  const spans: Span[] = [];
  let style = begin;
  let at = 0;
  const take = (to: number): void => {
    if (to > at) spans.push({ text: line.slice(at, to), style });
  };
  for (const found of line.matchAll(ESCAPE)) {
    take(found.index);
    at = found.index + found[0].length;
    if (found[2] === 'm' && !/[<=>?]/.test(found[1] ?? '')) style = after(style, found[1] ?? '');
  }
  take(line.length);
  return { spans, end: style };
}

// eslint-disable-next-line no-control-regex
const ANY = /[\x00-\x08\x0b-\x1f\x7f]/; // a much faster search, and most text has no control character

/** Lines without their invisible characters. */
export function plain(text: string): string {
  return ANY.test(text) ? text.replace(ESCAPE, '') : text;
}

function after(style: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map((code) => (code === '' ? 0 : Number(code)));
  let next = style;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 38 || code === 48) {
      const [colour, used] = extended(codes.slice(i + 1));
      i += used;
      next = code === 38 ? { ...next, fg: colour } : { ...next, bg: colour };
    } else {
      next = changed(next, code);
    }
  }
  return next;
}

function changed(style: Style, code: number): Style {
  if (code >= 30 && code <= 37) return { ...style, fg: code - 30 };
  if (code >= 40 && code <= 47) return { ...style, bg: code - 40 };
  if (code >= 90 && code <= 97) return { ...style, fg: code - 82 };
  if (code >= 100 && code <= 107) return { ...style, bg: code - 92 };
  switch (code) {
    case 0:
      return PLAIN;
    case 1:
      return { ...style, bold: true };
    case 2:
      return { ...style, dim: true };
    case 3:
      return { ...style, italic: true };
    case 4:
      return { ...style, underline: true };
    case 7:
      return { ...style, inverse: true };
    case 22:
      return { ...style, bold: false, dim: false };
    case 23:
      return { ...style, italic: false };
    case 24:
      return { ...style, underline: false };
    case 27:
      return { ...style, inverse: false };
    case 39:
      return { ...style, fg: null };
    case 49:
      return { ...style, bg: null };
    default:
      return style;
  }
}

/** A colour of the 256, or red, green and blue; with the number of codes read. */
function extended(codes: readonly number[]): [Colour, number] {
  const [kind, a = 0, b = 0, c = 0] = codes;
  if (kind === 5) return [a < 16 ? a : cube(a), 2];
  if (kind === 2) return [`rgb(${a & 255} ${b & 255} ${c & 255})`, 4];
  return [null, 1];
}

function cube(index: number): string {
  if (index >= 232) {
    const grey = 8 + (Math.min(index, 255) - 232) * 10;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const level = (part: number): number => (part === 0 ? 0 : 55 + part * 40);
  const rest = index - 16;
  return `rgb(${level(Math.floor(rest / 36))} ${level(Math.floor(rest / 6) % 6)} ${level(rest % 6)})`;
}
