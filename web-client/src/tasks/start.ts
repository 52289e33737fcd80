import { button, element } from '../page/element';
import { TypedCommand } from '../page/typed';
import { uniqueName } from '../page/unique';
import { spawn } from '../server/api';
import { environmentOf, shellOf } from '../task/again';
import type { Json, ToolTaskSpawned } from '../frames/frames';
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
/** The tool `shell` runs `sh`. */
const SHELLS = [['bash', 'bash'], ['shell', 'sh']] as const;
const RECENT = 'penstock.commands'; // the last commands of this browser
const MOST_RECENT = 4;
const LAST = 'penstock.start'; // mode and folder of the last task, the defaults of the next

/** How the dialog opens. */
export interface StartOptions {
  /** The key that opened it, if one did. */
  readonly letter?: KeyboardEvent | undefined;
  /** The session that the task is to belong to. */
  readonly session?: string | null;
  readonly command?: string | undefined;
  /** The task that is run again, changed. */
  readonly again?: ToolTaskSpawned;
}

/** The dialog that starts a task: the command and how it runs, and the rest folded. */
export function startDialog(
  started: (taskId: string) => void,
  { letter, session = null, command: given, again }: StartOptions = {},
): HTMLDialogElement {
  const inSession = again?.origin_session_id ?? session;
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
  const tool = element(
    'select',
    { name: 'tool' },
    ...SHELLS.map(([value, word]) => element('option', { value }, word)),
  );
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
  const recent = element('p', { className: 'recent', hidden: true });
  const options = element(
    'details',
    { className: 'options' },
    element('summary', {}, 'Options'),
    element(
      'div',
      { className: 'fields' },
      element('div', { className: 'pair' }, field('Title', title), field('Label', label)),
      element('div', { className: 'pair' }, field('Folder', cwd), field('Time limit', stops)),
      element('div', { className: 'pair' }, field('Shell', tool), field('Output limit', keeps)),
    ),
  );
  const form = element(
    'form',
    { method: 'dialog' },
    element('h2', {}, inSession === null ? 'Start a task' : `Start a task in the session ${inSession}`),
    field('Command', command),
    recent,
    element(
      'fieldset',
      { className: 'modes' },
      element('legend', { className: 'unseen' }, 'Run in'),
      card(pty, 'Terminal', 'interactive'),
      card(pipes, 'Background', 'separate stdout and stderr log'),
    ),
    options,
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

  for (const each of again === undefined ? recentCommands() : []) {
    recent.hidden = false;
    recent.append(
      button(each, { title: each }, () => {
        command.value = each;
        command.focus();
        typed?.attended();
      }),
    );
  }
  if (given !== undefined) command.value = given;
  if (again !== undefined) fillIn(again);
  options.open = again !== undefined || cwd.value !== '';

  function fillIn(spec: ToolTaskSpawned): void {
    command.value = shellOf(spec);
    title.value = spec.title === titleOf(command.value) ? '' : (spec.title ?? '');
    label.value = spec.label ?? '';
    cwd.value = typeof spec.args['cwd'] === 'string' ? spec.args['cwd'] : '';
    if (SHELLS.some(([name]) => name === spec.tool_name)) tool.value = spec.tool_name;
    (spec.execution_mode === 'pty' ? pty : pipes).checked = true;
    const most = String(spec.args['artifact_max_bytes']);
    if ([...keeps.options].some(({ value }) => value === most)) keeps.value = most;
    const names = environmentOf(spec);
    if (names.length > 0) complaint.textContent = `The values of ${names.join(', ')} are not recorded: set them in the command.`;
  }

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
  form.addEventListener('invalid', () => (options.open = true), { capture: true }); // a folded field could not say what is wrong
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (run.disabled) return; // Enter, once more
    complaint.textContent = '';
    run.disabled = true;
    const mode = pty.checked ? 'pty' : 'pipes';
    const args: Record<string, Json> = { command: command.value, artifact_max_bytes: Number(keeps.value) };
    if (cwd.value.trim() !== '') args['cwd'] = cwd.value.trim();
    const called = title.value.trim() === '' ? titleOf(command.value) : title.value.trim();
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
        keepCommand(command.value.trim());
        dialog.close();
        started(id);
      })
      .catch((refused: unknown) => (complaint.textContent = inWordsOfFields((refused as Error).message)))
      .finally(() => (run.disabled = false));
  });
  dialog.addEventListener('close', () => dialog.remove());
  return dialog;
}

/** A card with a radio button; a screen reader hears one sentence. */
function card(radio: HTMLInputElement, name: string, what: string): HTMLLabelElement {
  const words = element(
    'span',
    {},
    element('b', {}, name),
    element('span', { className: 'dash' }, ' – '),
    element('small', {}, what),
  );
  return element('label', {}, radio, words);
}

/** A task without a title is called by the first line of its command. */
function titleOf(command: string): string {
  return command.trim().split('\n')[0]!.slice(0, 200);
}

function recentCommands(): string[] {
  const known = JSON.parse(localStorage.getItem(RECENT) ?? '[]') as unknown;
  return Array.isArray(known) ? known.filter((each) => typeof each === 'string').slice(0, MOST_RECENT) : [];
}

function keepCommand(command: string): void {
  const others = recentCommands().filter((each) => each !== command);
  localStorage.setItem(RECENT, JSON.stringify([command, ...others].slice(0, MOST_RECENT)));
}

function field(name: string, input: HTMLElement): HTMLLabelElement {
  return element('label', { className: 'field' }, element('span', {}, name), input);
}
