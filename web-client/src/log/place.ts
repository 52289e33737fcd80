import type { Channel } from '../frames/frames';
import type { Wanted } from '../page/search-bar';
import { taskAddress } from '../route';

/** One line or several, of one channel, counted from 1. */
export interface LinePlace {
  readonly channel: Channel;
  readonly first: number;
  readonly last: number;
}

/** What the address says about a log: the channel that is shown, a line, a search. */
export interface LogPlace {
  readonly show: Channel | null;
  readonly line: LinePlace | null;
  readonly find: Wanted | null;
}

export const NO_PLACE: LogPlace = { show: null, line: null, find: null };

const MOST_FIND = 500; // characters of a search
const LINE = /^(E?)(\d{1,12})(?:-E?(\d{1,12}))?$/;

/** The name of a line: the same in all views of a log. Lines of stderr have an E, since both channels count from 1. */
export function lineName(channel: Channel, number: number): string {
  return channel === 'stderr' ? `E${number}` : String(number);
}

/** @param usual the channel of lines whose name is only a number */
export function placeIn(hash: string, usual: Channel): LogPlace {
  const given = new URLSearchParams(hash.split('?')[1] ?? '');
  const show = given.get('show');
  const text = given.get('find') ?? '';
  const [, isError, first, last] = LINE.exec(given.get('line') ?? '') ?? [];
  return {
    show: show === 'stdout' || show === 'stderr' ? show : null,
    line:
      first === undefined || Number(first) === 0
        ? null
        : { channel: isError === 'E' ? 'stderr' : usual, first: Number(first), last: Math.max(Number(first), Number(last ?? first)) },
    find: text === '' || text.length > MOST_FIND ? null : { text, regex: given.get('regex') === '1', matchCase: given.get('case') === '1' },
  };
}

export function logAddress(id: string, { show, line, find }: LogPlace): string {
  const fields: [string, string][] = [];
  if (show !== null) fields.push(['show', show]);
  if (line !== null) fields.push(['line', lineName(line.channel, line.first) + (line.last > line.first ? `-${lineName(line.channel, line.last)}` : '')]);
  if (find !== null && find.text.length <= MOST_FIND) {
    fields.push(['find', find.text]);
    if (find.regex) fields.push(['regex', '1']);
    if (find.matchCase) fields.push(['case', '1']);
  }
  const query = new URLSearchParams(fields).toString();
  return `${taskAddress(id, 'output')}${query === '' ? '' : `?${query}`}`;
}
