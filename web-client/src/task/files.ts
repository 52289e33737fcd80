import type { Channel, LogEnd } from '../frames/frames';
import { shown } from '../log/lines';
import { logAddress } from '../log/place';
import { element, say } from '../page/element';
import { taskAddress } from '../route';
import { keptAddress, outputAddress, outputRange, type Task } from '../server/api';
import { bytes } from '../server/health';

const PREVIEW_BYTES = 4 * 1024;
const PREVIEW_LINES = 12;

/** The stored outputs of a task, to view and download. Their sizes are live. */
export class Files {
  readonly #place: HTMLElement;
  readonly #logs = new Map<string, LogCard>();

  constructor(task: Task, place: HTMLElement) {
    this.#place = place;
    this.#draw(task);
  }

  update(task: Task): void {
    const logs = Object.entries(task.artifacts.logs);
    if (logs.some(([channel]) => !this.#logs.has(channel))) this.#draw(task);
    else for (const [channel, log] of logs) this.#logs.get(channel)?.show(log);
  }

  #draw(task: Task): void {
    const logs = Object.entries(task.artifacts.logs) as [Channel, LogEnd][];
    const first = logs[0];
    if (first === undefined) {
      this.#place.replaceChildren(element('p', { className: 'scrolled note' }, 'It never ran, so it has no output.'));
      return;
    }
    for (const [channel, log] of logs) this.#logs.set(channel, new LogCard(task.task_id, channel, log));
    const cards = [...this.#logs.values()].map((each) => each.root);
    if (task.execution_mode === 'pty') cards.push(recording(task.task_id));
    const range = `curl -r 0-499 …${outputAddress(task.task_id, first[0])}`;
    this.#place.replaceChildren(
      element(
        'div',
        { className: 'scrolled' },
        element('ul', { className: 'files' }, ...cards),
        element(
          'p',
          { className: 'note' },
          'Fetch a range: ',
          element('code', {}, range),
        ),
      ),
    );
  }
}

function recording(id: string): HTMLElement {
  const address = `/tasks/${encodeURIComponent(id)}/recording.cast`;
  const replay = taskAddress(id, 'replay');
  const play = element('a', { className: 'button', href: replay }, 'Play');
  return card('recording', element('p', { className: 'quiet' }, 'asciicast, with timing, for asciinema'), play, download(address, `${id}.cast`));
}

/** One output and its first lines. */
class LogCard {
  readonly root: HTMLElement;
  readonly #id: string;
  readonly #channel: Channel;
  readonly #what = element('p', { className: 'quiet' });
  readonly #begin = element('pre', { tabIndex: 0, role: 'region', hidden: true });
  readonly #rest = element('p', { className: 'quiet rest' });
  #asked = 0; // the size when the first lines were requested
  #shown = 0;

  constructor(id: string, channel: Channel, log: LogEnd) {
    this.#id = id;
    this.#channel = channel;
    this.#begin.ariaLabel = `Beginning of ${channel === 'pty' ? 'the terminal' : channel}`;
    this.root = card(
      channel === 'pty' ? 'terminal' : channel,
      this.#what,
      view(viewAddress(id, channel)),
      raw(keptAddress(id, channel)),
      download(`/artifacts/${encodeURIComponent(log.id)}?kept=1`, `${id}.${channel}.txt`),
    );
    this.root.append(this.#begin, this.#rest);
    this.show(log);
  }

  show(log: LogEnd): void {
    say(this.#what, log.error === null ? sizeOf(log) : `${sizeOf(log)} · ${log.error}`);
    this.#sayRest(log.bytes_stored);
    if (this.#asked < Math.min(log.bytes_stored, PREVIEW_BYTES)) void this.#ask(log.bytes_stored);
  }

  async #ask(stored: number): Promise<void> {
    this.#asked = stored;
    const never = new AbortController().signal;
    const begin = await outputRange(this.#id, this.#channel, 0, PREVIEW_BYTES, never).catch(() => null);
    if (begin === null) return; // opening it shows the reason
    const { text, end } = previewOf(begin);
    this.#shown = end;
    this.#begin.hidden = false;
    say(this.#begin, text);
    this.#sayRest(Math.max(stored, begin.length));
  }

  #sayRest(stored: number): void {
    say(this.#rest, this.#shown > 0 && stored > this.#shown ? `… and ${bytes(stored - this.#shown)} more` : '');
  }
}

/** Written and stored bytes: fewer are stored beyond the output limit, or when the disk was full. */
export function sizeOf({ bytes_total: written, bytes_stored: stored }: Pick<LogEnd, 'bytes_total' | 'bytes_stored'>): string {
  return written === 0 ? 'no output' : `${bytes(written)} written, ${stored === written ? 'all' : bytes(stored)} stored`;
}

const NEWLINE = 10;

/** The first lines, without cursor movements, and where they end. */
export function previewOf(begin: Uint8Array): { text: string; end: number } {
  let end = 0;
  for (let lines = 0; lines < PREVIEW_LINES && end < begin.length; lines++) {
    const newline = begin.indexOf(NEWLINE, end);
    end = newline < 0 ? begin.length : newline + 1;
  }
  const lines = new TextDecoder().decode(begin.subarray(0, end), { stream: true }).split('\n');
  const text = lines.map((line) => shown(line).map((span) => span.text).join('')).join('\n').trimEnd();
  return { text, end };
}

function card(name: string, what: HTMLElement, ...links: HTMLElement[]): HTMLElement {
  const told = element('div', {}, element('b', {}, name), what);
  return element('li', { className: 'sheet' }, told, ...links);
}

/** The output as a log, from its first line. */
function viewAddress(id: string, channel: Channel): string {
  const line = { channel, first: 1, last: 1 };
  return logAddress(id, { show: channel === 'pty' ? null : channel, line, find: null });
}

function view(href: string): HTMLElement {
  return element('a', { className: 'button', href }, 'View');
}

/** The bytes as they were written, in a tab of their own. */
function raw(href: string): HTMLElement {
  return element('a', { className: 'button', href, target: '_blank', rel: 'noopener' }, 'Raw');
}

function download(href: string, name: string): HTMLElement {
  return element('a', { className: 'button', href, download: name }, 'Download');
}
