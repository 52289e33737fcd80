import type { ExecutionMode } from '../frames/frames';
import { element } from '../page/element';
import { uniqueName } from '../page/unique';
import { Refusal } from '../server/api';
import { addWatcher, type NewWatcher, type Watcher } from '../server/watchers';

/** The server's error for one field: its sentence without the name of the field in front. */
export function fieldIn(message: string, fields: readonly string[]): { field: string | null; sentence: string } {
  const field = fields.find((each) => new RegExp(`^${each}\\b`).test(message));
  if (field === undefined) return { field: null, sentence: message };
  const sentence = message.slice(field.length).replace(/^(:\s*|\s+)/, '');
  return { field, sentence: sentence.charAt(0).toUpperCase() + sentence.slice(1) };
}

/** A form that adds a watcher to a running task. */
export function addForm(
  taskId: string,
  mode: ExecutionMode,
  added: (watcher: Watcher) => void,
): HTMLFormElement {
  const regex = element('input', {
    name: 'regex',
    required: true,
    maxLength: 256,
    spellcheck: false,
    autocapitalize: 'off',
    autocomplete: 'off',
    placeholder: 'error: .*',
    className: 'mono',
  });
  const event = element('input', {
    name: 'event',
    required: true,
    maxLength: 64,
    autocomplete: 'off',
    placeholder: 'failed',
  });
  const stream = element(
    'select',
    { name: 'stream' },
    element('option', { value: '' }, mode === 'pty' ? 'The terminal' : 'stdout and stderr'),
    ...(mode === 'pty' ? [] : ['stdout', 'stderr'].map((each) => element('option', { value: each }, `Only ${each}`))),
  );
  const once = element('input', { type: 'checkbox', name: 'once' });
  const window = element('input', { type: 'checkbox', name: 'scope' });
  const fromStart = element('input', { type: 'checkbox', name: 'from_seq', checked: true });
  const fields: Readonly<Record<string, HTMLElement>> = { regex, event, stream };
  const complaints = new Map(Object.keys(fields).map((name) => [name, complaintOf(name)]));
  const other = element('p', { className: 'complaint', role: 'alert' });
  const submit = element('button', { type: 'submit', className: 'primary' }, 'Add watcher');
  const labelled = (text: string, name: string): HTMLElement =>
    element(
      'div',
      { className: 'field' },
      element('label', {}, element('span', {}, text), fields[name]!),
      complaints.get(name)!,
    );
  const form = element(
    'form',
    { className: 'sheet add-watcher', ariaLabel: 'Add a watcher' },
    element('h2', {}, 'Add a watcher'),
    element(
      'div',
      { className: 'row-of-fields' },
      labelled('Pattern (RE2)', 'regex'),
      labelled('Name of a hit', 'event'),
      labelled('Output', 'stream'),
    ),
    element(
      'div',
      { className: 'choices' },
      choice(fromStart, 'Also search the output so far'),
      choice(once, 'Only the first hit'),
      choice(window, 'A match may span lines'),
    ),
    other,
    element('p', { className: 'actions' }, submit),
  );
  let key = uniqueName(); // several submits of the same fields add one watcher
  const clear = (): void => {
    other.textContent = '';
    for (const [name, complaint] of complaints) {
      complaint.textContent = '';
      fields[name]?.removeAttribute('aria-invalid');
    }
  };
  form.noValidate = true; // the server's sentence says more than the browser's
  form.addEventListener('input', () => {
    clear();
    key = uniqueName();
  });
  form.addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    if (submit.disabled) return;
    clear();
    submit.disabled = true;
    const watcher: NewWatcher = {
      regex: regex.value,
      event: event.value.trim(),
      stream: stream.value === '' ? null : (stream.value as NewWatcher['stream']),
      once: once.checked,
      scope: window.checked ? 'window' : 'line',
      from_seq: fromStart.checked ? 0 : null,
    };
    addWatcher(taskId, watcher, key)
      .then((it) => {
        form.reset();
        key = uniqueName();
        regex.focus();
        added(it);
      })
      .catch((refused: unknown) => {
        if (!(refused instanceof Refusal)) throw refused;
        const { field, sentence } = fieldIn(refused.message, Object.keys(fields));
        (complaints.get(field ?? '') ?? other).textContent = sentence;
        if (field === null) return;
        fields[field]?.setAttribute('aria-invalid', 'true');
        fields[field]?.focus();
      })
      .finally(() => (submit.disabled = false));
  });
  for (const name of Object.keys(fields)) fields[name]?.setAttribute('aria-describedby', `watcher-${name}-error`);
  return form;
}

function complaintOf(name: string): HTMLElement {
  return element('p', { className: 'complaint', role: 'alert', id: `watcher-${name}-error` });
}

function choice(box: HTMLInputElement, text: string): HTMLElement {
  return element('label', {}, box, element('span', {}, text));
}
