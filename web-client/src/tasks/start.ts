import { button, element } from '../page/element';
import { TypedCommand } from '../page/typed';
import { uniqueName } from '../page/unique';
import { spawn } from '../server/api';
import type { Json } from '../frames/frames';
import { inWordsOfFields } from './refused';

const MIB = 1024 * 1024;
/** Per output. Bytes beyond the limit are counted, but neither stored nor shown: the terminal stops changing. */
const KEEPS: readonly (readonly [string, number])[] = [
  ['16 MiB', 16 * MIB],
  ['256 MiB', 256 * MIB],
  ['1 GiB', 1024 * MIB],
  ['16 GiB', 16 * 1024 * MIB],
];
/** Counted from the start of its program. */
const STOPS_AFTER: readonly (readonly [string, number])[] = [
  ['10 minutes', 600],
  ['1 hour (default)', 3600], // the server's too
  ['8 hours', 8 * 3600],
  ['24 hours', 24 * 3600], // the server's limit
];
const LAST = 'penstock.start'; // mode and folder of the last task, the defaults of the next

/**
 * The dialog that starts a task.
 *
 * @param letter if a key opened it
 * @param inSession the session that the task is to belong to
 */
export function startDialog(
  started: (taskId: string) => void,
  letter?: KeyboardEvent,
  inSession: string | null = null,
): HTMLDialogElement {
  const command = element('textarea', {
    name: 'command',
    rows: 2,
    required: true,
    spellcheck: false,
    placeholder: 'npm test',
    autocapitalize: 'off',
  });
  const title = element('input', { name: 'title', maxLength: 4096, placeholder: 'The command' });
  const label = element('input', {
    name: 'label',
    maxLength: 64,
    pattern: '[A-Za-z0-9][A-Za-z0-9._:@\\-]*',
    title: 'Letters from a to z, digits, and . _ : @ -',
    placeholder: 'For filtering, e.g. pr-42',
    spellcheck: false,
    autocapitalize: 'off',
    autocomplete: 'off',
  });
  const cwd = element('input', { name: 'cwd', spellcheck: false, placeholder: 'The workspace' });
  const tool = element('select', { name: 'tool' }, ...['bash', 'shell'].map((word) => element('option', {}, word)));
  const keeps = element(
    'select',
    { name: 'keeps', title: 'Output beyond this is shown live, but not stored' },
    ...KEEPS.map(([text, bytes]) => element('option', { value: String(bytes) }, text)),
  );
  keeps.value = String(1024 * MIB);
  const stops = element(
    'select',
    { name: 'stops', title: 'A program that runs longer is stopped' },
    ...STOPS_AFTER.map(([text, seconds]) => element('option', { value: String(seconds) }, text)),
  );
  stops.value = '3600';
  const pty = element('input', { type: 'radio', name: 'mode', value: 'pty', checked: true });
  const pipes = element('input', { type: 'radio', name: 'mode', value: 'pipes' });
  const complaint = element('p', { className: 'complaint', role: 'alert' });
  const run = element('button', { type: 'submit', className: 'primary' }, 'Run');
  const form = element(
    'form',
    { method: 'dialog' },
    element('h2', {}, inSession === null ? 'Start a task' : `Start a task in the session ${inSession}`),
    field('Command', command),
    element(
      'fieldset',
      { className: 'modes' },
      element('legend', {}, 'Run in'),
      element('label', {}, pty, element('span', {}, element('b', {}, 'Terminal'), ' – interactive')),
      element(
        'label',
        {},
        pipes,
        element('span', {}, element('b', {}, 'Background'), ' – separate stdout and stderr log'),
      ),
    ),
    element('div', { className: 'pair' }, field('Title', title), field('Label', label)),
    element('div', { className: 'pair' }, field('Folder', cwd), field('Time limit', stops)),
    element('div', { className: 'pair' }, field('Shell', tool), field('Output limit', keeps)),
    complaint,
    element(
      'p',
      { className: 'actions' },
      element('small', {}, 'Enter runs it, Shift+Enter is a new line'),
      button('Cancel', {}, () => dialog.close()),
      run,
    ),
  );
  const dialog = element('dialog', { className: 'sheet start', ariaLabel: 'Start a task' }, form);

  const last = JSON.parse(localStorage.getItem(LAST) ?? '{}') as { mode?: string; cwd?: string };
  pipes.checked = last.mode === 'pipes';
  cwd.value = last.cwd ?? '';

  // A label has no spaces.
  label.addEventListener('change', () => (label.value = label.value.trim().replace(/\s+/g, '-')));
  const typed = letter === undefined ? undefined : new TypedCommand(letter);
  command.addEventListener('keydown', (event) => {
    typed?.key(event);
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      if (typed?.mayRun(event) === false) complaint.textContent = 'You typed this while the dialog opened. Press Enter again to run it.';
      else form.requestSubmit();
    }
  });
  command.addEventListener('input', () => typed?.input());
  form.addEventListener('pointerdown', () => typed?.attended());
  form.addEventListener('focusin', ({ target }) => target !== command && typed?.attended());
  let name = uniqueName(); // the idempotency key: several submits start one task
  form.addEventListener('input', () => {
    complaint.textContent = ''; // the user corrects the request
    name = uniqueName();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (run.disabled) return; // Enter, once more
    complaint.textContent = '';
    run.disabled = true;
    const mode = pty.checked ? 'pty' : 'pipes';
    const args: Record<string, Json> = { command: command.value, artifact_max_bytes: Number(keeps.value) };
    if (cwd.value.trim() !== '') args['cwd'] = cwd.value.trim();
    const called = title.value.trim() === '' ? command.value.trim().split('\n')[0]!.slice(0, 200) : title.value.trim();
    const task = {
      tool: tool.value,
      title: called,
      label: label.value.trim() || null,
      origin_session_id: inSession,
      execution_mode: mode,
      timeout_secs: Number(stops.value),
      args,
    };
    spawn(task, name)
      .then((id) => {
        localStorage.setItem(LAST, JSON.stringify({ mode, cwd: cwd.value.trim() }));
        dialog.close();
        started(id);
      })
      .catch((refused: unknown) => (complaint.textContent = inWordsOfFields((refused as Error).message)))
      .finally(() => (run.disabled = false));
  });
  dialog.addEventListener('close', () => dialog.remove());
  return dialog;
}

function field(name: string, input: HTMLElement): HTMLLabelElement {
  return element('label', { className: 'field' }, element('span', {}, name), input);
}
