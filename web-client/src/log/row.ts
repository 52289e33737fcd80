import { element } from '../page/element';
import type { Span, Style } from './ansi';
import { lookOf } from './colours';
import { piecesOf } from './links';
import type { Line } from './lines';

/** What a view knows about its lines. */
export interface RowWords {
  /** The name of a line in its view, such as 12 or E3. */
  nameOf(line: Line): string;
  /** The address of a line. */
  hrefOf(line: Line): string;
}

/** A line as a row: its number, which is a link to it, and its text. */
export function rowOf(line: Line | undefined, words: RowWords, toggle: () => void): HTMLElement {
  const row = element('div', { className: 'line' });
  if (line === undefined) {
    row.append(element('span', { className: 'number', ariaHidden: 'true' }, '·'), element('span', { className: 'text' }, '…'));
    return row;
  }
  row.dataset['channel'] = line.channel;
  const text = element('span', { className: 'text' }, ...line.spans.map(spanOf));
  row.append(numberOf(line, words), line.group === undefined ? text : groupOf(line.group, text, toggle));
  return row;
}

/** Reached by the mouse only: one stop of the Tab key for each line would be too many, and *Copy link* does the same. */
function numberOf(line: Line, words: RowWords): HTMLElement {
  if (line.number === null) return element('span', { className: 'number', ariaHidden: 'true' }, '·');
  return element('a', { className: 'number', href: words.hrefOf(line), tabIndex: -1, ariaHidden: 'true' }, words.nameOf(line));
}

function groupOf(group: NonNullable<Line['group']>, text: HTMLElement, toggle: () => void): HTMLElement {
  const { folded, lines } = group;
  const header = element(
    'button',
    { type: 'button', className: 'group', ariaExpanded: String(!folded) },
    text,
    ...(folded ? [element('small', {}, `${lines} ${lines === 1 ? 'line' : 'lines'}`)] : []),
  );
  header.addEventListener('click', toggle);
  return header;
}

/** The text is unchanged, so that it can be found and copied; each line is a paragraph, which cannot turn other lines. */
function spanOf({ text, style }: Span): Node {
  const pieces = piecesOf(text).map((piece) => {
    if (piece.href === null) return document.createTextNode(piece.text);
    const link = element('a', { href: piece.href, target: '_blank', rel: 'noopener noreferrer' });
    link.append(piece.text);
    return link;
  });
  const [only] = pieces;
  if (isPlain(style) && pieces.length === 1 && only !== undefined) return only;
  const span = element('span');
  span.append(...pieces);
  const { color, background } = lookOf(style);
  if (color !== null) span.style.color = color;
  if (background !== null) span.style.backgroundColor = background;
  for (const look of ['bold', 'italic', 'underline'] as const) if (style[look]) span.classList.add(look);
  return span;
}

function isPlain({ fg, bg, bold, dim, italic, underline, inverse }: Style): boolean {
  return fg === null && bg === null && !bold && !dim && !italic && !underline && !inverse;
}
