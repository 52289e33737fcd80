import type { Channel } from '../frames/frames';
import { element } from '../page/element';
import { taskAddress } from '../route';
import { keptAddress, Refusal, reach, type Task } from '../server/api';

const GONE = 410;

/** Whether the output of the task has been removed, which happens only after its end. */
export async function isGone(task: Task): Promise<boolean> {
  const [written] = Object.entries(task.artifacts.logs).filter(([, log]) => log.bytes_stored > 0);
  if (task.outcome === null || written === undefined) return false;
  return reach(keptAddress(task.task_id, written[0] as Channel)).then(
    () => false,
    (refused: unknown) => refused instanceof Refusal && refused.status === GONE,
  );
}

/** Replaces the views of a removed output. */
export function goneNote({ task_id: id }: Task): HTMLElement {
  return element(
    'div',
    { className: 'empty' },
    element('h2', {}, 'Its output has been removed'),
    element('p', {}, 'Outputs expire, or are deleted. The timeline still shows what happened, when and by whom.'),
    element(
      'a',
      { className: 'button', href: taskAddress(id, 'timeline') },
      'Open the timeline',
    ),
  );
}
