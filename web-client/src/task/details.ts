import type { ToolTaskSpawned } from '../frames/frames';
import { commandOf } from '../ledger/sentences';
import { copies } from '../page/clipboard';
import { button, element } from '../page/element';
import { sessionAddress, taskAddress } from '../route';
import { policyOf, usageFrom, type Task } from '../server/api';
import { bytes, duration } from '../server/health';
import { endOf, outputBytes, when } from '../tasks/words';
import { environmentOf } from './again';
import { Usage } from './usage';
import { UsagePlot } from './usage-plot';

type Value = string | HTMLElement;

/**
 * Everything about a task that its views do not show: what was asked, where it ran, what it uses, and what became of it.
 *
 * @param current the task as it is by now
 * @returns takes what the task uses from now on
 */
export function detailsDialog(task: Task, spec: ToolTaskSpawned | null, current: () => Task): Usage {
  const list = element('dl', { className: 'details' });
  const add = (name: string, value: Value | null | undefined, copied?: string): void => {
    if (value == null || value === '') return;
    const shown = typeof value === 'string' ? element('span', {}, value) : value;
    list.append(
      element('dt', {}, name),
      element('dd', {}, shown, ...(copied === undefined ? [] : [copies('Copy', `Copy: ${name.toLowerCase()}`, () => copied)])),
    );
  };
  if (spec !== null) {
    const command = commandOf(spec.args);
    add('Command', element('pre', { tabIndex: 0 }, command), command);
    add('Runs in', `${spec.tool_name}, ${spec.execution_mode === 'pty' ? 'a terminal' : 'the background'}`);
    add('Folder', element('code', {}, spec.cwd ?? 'the workspace'), spec.cwd ?? undefined);
    const names = environmentOf(spec);
    add('Environment', names.length === 0 ? null : `${names.join(', ')} (values are not recorded)`);
    const most = spec.artifacts.artifact_max_bytes;
    add('Output limit', most === null ? null : bytes(most));
  }
  add('Session', linkTo(task.origin_session_id, sessionAddress), task.origin_session_id ?? undefined);
  add('Label', task.label, task.label ?? undefined);
  add('Batch', task.batch);
  add('Parent', linkTo(task.parent_task_id, taskAddress));
  add('Task ID', element('code', {}, task.task_id), task.task_id);
  if (spec !== null) add('Requested', `${when(spec.timestamp_ms)} by ${spec.actor}`);
  add('Started', task.started_at_ms === null ? 'not yet' : when(task.started_at_ms));
  if (task.ended_at_ms !== null) add('Ended', when(task.ended_at_ms));
  if (task.started_at_ms !== null && task.ended_at_ms !== null) add('Ran for', duration(task.ended_at_ms - task.started_at_ms));
  add('Result', endOf(task));
  add('Output', outputBytes(task) === 0 ? 'none' : outputsOf(task));
  const plot = new UsagePlot();
  const usage = new Usage((samples) => {
    if (!plot.show(current(), samples) || plot.cpu.root.parentElement !== null) return;
    add('CPU', plot.cpu.root);
    add('Memory', plot.memory.root);
  });
  const policy = element('span', {}, '…');
  add('Policy', policy);
  policyOf(task.task_id).then(
    (verdicts) => (policy.textContent = verdicts.join(' ') || 'not asked'),
    (refused: Error) => (policy.textContent = refused.message),
  );
  const dialog = element(
    'dialog',
    { className: 'sheet about-task', ariaLabel: 'Details' },
    element(
      'header',
      {},
      element('h2', {}, 'Details'),
      button('Close', { autofocus: true }, () => dialog.close()),
    ),
    list,
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  // A refusal concerns the whole task, and the policy says it.
  usage.read((seq) => usageFrom(task.task_id, seq)).catch(() => undefined);
  return usage;
}

function linkTo(id: string | null, address: (id: string) => string): HTMLElement | null {
  return id === null ? null : element('a', { href: address(id) }, id);
}

function outputsOf({ artifacts }: Task): string {
  return Object.entries(artifacts.logs)
    .filter(([, log]) => log.bytes_total > 0)
    .map(([channel, log]) => `${bytes(log.bytes_total)} of ${channel === 'pty' ? 'the terminal' : channel}`)
    .join(', ');
}
