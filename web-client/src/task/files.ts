import type { Channel } from '../frames/frames';
import { shown } from '../log/lines';
import { element } from '../page/element';
import { addressOf } from '../route';
import { outputAddress, outputRange, type Task } from '../server/api';
import { bytes } from '../server/health';

const PREVIEW_BYTES = 4 * 1024;
const PREVIEW_LINES = 12;

/** What is kept of a task's output, to look at and to take away. */
export function filesOf(task: Task): HTMLElement {
  const logs = Object.entries(task.artifacts?.logs ?? {});
  const first = logs[0];
  if (first === undefined)
    return element('p', { className: 'scrolled note' }, 'It never ran, so there is nothing to keep.');
  const cards = logs.map(([channel, log]) => {
    const kept = log.truncated
      ? `${bytes(log.bytes_stored)} kept of ${bytes(log.bytes_total)}`
      : log.bytes_total === 0
        ? 'nothing written'
        : bytes(log.bytes_total);
    const made = card(
      channel === 'pty' ? 'terminal' : channel,
      log.error === null ? kept : `${kept} · ${log.error}`,
      look(outputAddress(task.task_id, channel as Channel)),
      download(`/artifacts/${encodeURIComponent(log.id)}`, `${task.task_id}.${channel}.txt`),
    );
    if (log.bytes_stored > 0) void preview(task.task_id, channel as Channel, log.bytes_stored, made);
    return made;
  });
  if (task.execution_mode === 'pty') {
    const address = `/tasks/${encodeURIComponent(task.task_id)}/recording.cast`;
    const replay = addressOf({ page: 'task', id: task.task_id, tab: 'replay', seq: null });
    const play = element('a', { className: 'button', href: replay }, 'Play');
    cards.push(card('recording', 'with its times, for asciinema', play, download(address, `${task.task_id}.cast`)));
  }
  const range = `curl -r 0-499 …${outputAddress(task.task_id, first[0] as Channel)}`;
  return element(
    'div',
    { className: 'scrolled' },
    element('ul', { className: 'files' }, ...cards),
    element(
      'p',
      { className: 'note' },
      'What still grows is as long as it is when you ask. ',
      element('code', {}, range),
      ' takes a range.',
    ),
  );
}

const NEWLINE = 10;

/** How it begins: enough to know what it is, and how much there is beside that. What a terminal was sent to move its cursor is left out. */
export function previewOf(begin: Uint8Array, stored: number): { text: string; rest: string } {
  let end = 0;
  for (let lines = 0; lines < PREVIEW_LINES && end < begin.length; lines++) {
    const newline = begin.indexOf(NEWLINE, end);
    end = newline < 0 ? begin.length : newline + 1;
  }
  const lines = new TextDecoder().decode(begin.subarray(0, end), { stream: true }).split('\n');
  const text = lines.map((line) => shown(line).map((span) => span.text).join('')).join('\n').trimEnd();
  return { text, rest: stored > end ? `and ${bytes(stored - end)} more` : '' };
}

async function preview(id: string, channel: Channel, stored: number, card: HTMLElement): Promise<void> {
  const never = new AbortController().signal;
  const begin = await outputRange(id, channel, 0, PREVIEW_BYTES, never).catch(() => null);
  if (begin === null) return; // it can still be looked at, and then it says why not
  const { text, rest } = previewOf(begin, stored);
  const name = `How ${channel === 'pty' ? 'the terminal' : channel} begins`;
  card.append(element('pre', { tabIndex: 0, role: 'region', ariaLabel: name }, text));
  if (rest !== '') card.append(element('p', { className: 'quiet rest' }, `… ${rest}`));
}

function card(name: string, what: string, ...links: HTMLElement[]): HTMLElement {
  const told = element('div', {}, element('b', {}, name), element('p', { className: 'quiet' }, what));
  return element('li', { className: 'sheet' }, told, ...links);
}

function look(href: string): HTMLElement {
  return element('a', { className: 'button', href, target: '_blank', rel: 'noopener' }, 'Look');
}

function download(href: string, name: string): HTMLElement {
  return element('a', { className: 'button', href, download: name }, 'Download');
}
