import { element } from '../page/element';
import { outputAddress, type Task } from '../server/api';
import { bytes } from '../server/health';
import type { Channel } from '../frames/frames';

/** What is kept of a task's output, to look at and to take away. */
export function filesOf(task: Task): HTMLElement {
  const logs = Object.entries(task.artifacts?.logs ?? {});
  const cards = logs.map(([channel, log]) =>
    element(
      'li',
      { className: 'sheet' },
      element(
        'div',
        {},
        element('b', {}, channel === 'pty' ? 'terminal' : channel),
        element(
          'p',
          { className: 'quiet' },
          `${bytes(log.bytes_stored)}${log.truncated ? ` kept of ${bytes(log.bytes_total)}` : ''}${log.error === null ? '' : ` · ${log.error}`}`,
        ),
      ),
      element(
        'a',
        {
          className: 'button',
          href: outputAddress(task.task_id, channel as Channel),
          target: '_blank',
          rel: 'noopener',
        },
        'Look',
      ),
      element(
        'a',
        {
          className: 'button',
          href: `/artifacts/${encodeURIComponent(log.id)}`,
          download: `${task.task_id}.${channel}.txt`,
        },
        'Download',
      ),
    ),
  );
  return element(
    'div',
    { className: 'scrolled' },
    cards.length === 0
      ? element('p', { className: 'note' }, 'It never ran, so there is nothing to keep.')
      : element('ul', { className: 'files' }, ...cards),
    element(
      'p',
      { className: 'note' },
      'Outputs that still grow are as long as they are when you ask. ',
      element(
        'code',
        {},
        `curl -r 0-499 …${logs[0] === undefined ? '' : outputAddress(task.task_id, logs[0][0] as Channel)}`,
      ),
      ' takes a range.',
    ),
  );
}
