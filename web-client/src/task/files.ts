import type { Channel } from '../frames/frames';
import { element } from '../page/element';
import { outputAddress, type Task } from '../server/api';
import { bytes } from '../server/health';

/** What is kept of a task's output, to look at and to take away. */
export function filesOf(task: Task): HTMLElement {
  const logs = Object.entries(task.artifacts?.logs ?? {});
  const first = logs[0];
  if (first === undefined)
    return element('p', { className: 'scrolled note' }, 'It never ran, so there is nothing to keep.');
  const cards = logs.map(([channel, log]) => {
    const kept = log.truncated
      ? `${bytes(log.bytes_stored)} kept of ${bytes(log.bytes_total)}`
      : bytes(log.bytes_total);
    return card(
      channel === 'pty' ? 'terminal' : channel,
      log.error === null ? kept : `${kept} · ${log.error}`,
      look(outputAddress(task.task_id, channel as Channel)),
      download(`/artifacts/${encodeURIComponent(log.id)}`, `${task.task_id}.${channel}.txt`),
    );
  });
  if (task.execution_mode === 'pty') {
    const address = `/tasks/${encodeURIComponent(task.task_id)}/recording.cast`;
    cards.push(card('recording', 'with its times, for asciinema', download(address, `${task.task_id}.cast`)));
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
