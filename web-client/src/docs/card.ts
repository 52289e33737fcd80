/** One operation: what it is, what it takes, and a form that sends it. */

import { send } from './answer';
import type { Field, Operation } from './document';
import { element } from '../page/element';
import { curlOf, missing, requestOf } from './request';

/** The part of the page that all cards share. */
export interface Page {
  token(): string;
  /** The last spawned task, which most other requests ask about next. */
  spawned(taskId: string): void;
}

export function card(operation: Operation, page: Page): HTMLElement {
  const inputs = new Map<string, HTMLInputElement | HTMLSelectElement>();
  const body = element('textarea', { spellcheck: false, ariaLabel: 'Body', value: operation.bodies[0]?.text ?? '' });
  const curl = element('code', { title: 'For a shell in the folder of Penstock. If the server was started with --data DIR: ./penstock token --data DIR' });
  const complaint = element('output', { className: 'bad' });
  const answer = element('section', { className: 'answer', ariaLive: 'polite' });
  const sending = element('button', { type: 'submit', className: 'primary' }, 'Send');
  const stopping = element('button', { type: 'button', hidden: true }, 'Stop');
  const form = element('form', { noValidate: true });

  const values = (): Map<string, string> => new Map([...inputs].map(([name, input]) => [name, input.value]));
  const request = () => requestOf(operation, values(), body.value, page.token());
  const refresh = (): void => {
    curl.textContent = curlOf(operation, request(), location.origin);
    body.rows = Math.min(16, body.value.split('\n').length + 1);
  };

  form.append(...fields(operation, inputs));
  if (operation.bodies.length > 0) form.append(bodyField(operation, body, refresh));
  form.append(element('div', { className: 'send' }, sending, stopping, complaint), element('p', { className: 'curl' }, curl));
  form.addEventListener('input', refresh);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const absent = missing(operation, values());
    complaint.textContent = absent.length === 0 ? '' : `Fill in ${absent.join(' and ')}.`;
    if (absent.length > 0) return;
    const stop = new AbortController();
    const began = (under: boolean): void => {
      stopping.hidden = !under;
      sending.disabled = under;
    };
    stopping.onclick = () => stop.abort();
    began(true);
    void send(request(), operation.streams, answer, stop.signal).then((told) => {
      began(false);
      const taskId = (told as { task_id?: unknown } | undefined)?.task_id;
      if (operation.id === 'spawnTask' && typeof taskId === 'string') page.spawned(taskId);
    });
  });

  const details = element(
    'details',
    { id: operation.id, className: 'operation' },
    element(
      'summary',
      {},
      element('b', { className: `method ${operation.method.toLowerCase()}` }, operation.method),
      element('code', {}, operation.path),
      element('span', {}, operation.summary),
    ),
    element('div', { className: 'inside' }, element('p', {}, operation.text), form, answer, ...tables(operation)),
  );
  details.addEventListener('toggle', refresh);
  return details;
}

function fields(operation: Operation, inputs: Map<string, HTMLInputElement | HTMLSelectElement>): HTMLElement[] {
  return operation.fields.map((field) => {
    const input = control(field);
    input.name = field.name;
    inputs.set(field.name, input);
    const kind = `${field.where}, ${field.kind}${field.required ? ', needed' : ''}`;
    return element(
      'label',
      { className: 'field' },
      element('span', {}, element('code', {}, field.name), element('small', {}, kind)),
      input,
      element('small', {}, field.text),
    );
  });
}

function control(field: Field): HTMLInputElement | HTMLSelectElement {
  if (field.choices.length === 0) return element('input', { placeholder: field.hint, spellcheck: false, autocomplete: 'off' });
  const choices = field.choices.map((choice) => element('option', { value: choice }, choice));
  if (!field.required) choices.unshift(element('option', { value: '' }, '–'));
  return element('select', {}, ...choices);
}

function bodyField(operation: Operation, body: HTMLTextAreaElement, refresh: () => void): HTMLElement {
  const examples = element('p', { className: 'examples' });
  if (operation.bodies.length > 1) {
    examples.append(
      ...operation.bodies.map((example) => {
        const button = element('button', { type: 'button' }, example.name);
        button.addEventListener('click', () => {
          body.value = example.text;
          refresh();
        });
        return button;
      }),
    );
  }
  return element('div', { className: 'field' }, element('span', {}, element('code', {}, 'body'), element('small', {}, 'JSON'), examples), body);
}

/** Tables that are folded at first: the members of the body, and the responses. */
function tables(operation: Operation): HTMLElement[] {
  const parts = operation.parts.map(({ name, kind, text }): [string, string] => [name, text === '' ? kind : `${kind}. ${text}`]);
  const answers = operation.answers.map(({ status, text }): [string, string] => [status, text]);
  return [...(parts.length === 0 ? [] : [table('Members of the body', parts)]), table('Responses', answers)];
}

function table(title: string, rows: readonly [string, string][]): HTMLElement {
  const cells = rows.flatMap(([term, text]) => [element('dt', {}, term), element('dd', {}, text)]);
  return element('details', { className: 'table' }, element('summary', {}, title), element('dl', {}, ...cells));
}
