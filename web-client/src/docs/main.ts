import type { Json } from '../frames/frames';
import { card, type Page } from './card';
import { groupsOf, type Group } from './document';
import { element, found } from '../page/element';
import { followOtherTabs } from '../page/theme';
import { themeButton } from '../page/theme-button';

const TOKEN = 'penstock.token'; // stored for this tab only

const field = found('token-field', HTMLInputElement);
const state = found('token-state', HTMLElement);
const contents = found('contents', HTMLElement);
const operations = found('operations', HTMLElement);

const page: Page = {
  token: () => field.value.trim(),
  spawned: (taskId) => {
    for (const input of operations.querySelectorAll<HTMLInputElement>('input[name="id"]')) {
      input.value = input.closest('#artifactBytes, #artifactBytesHead') === null ? taskId : `${taskId}.stdout`;
    }
  },
};

/** Checks the token with the server, by a request for a list of one task. */
async function check(): Promise<void> {
  const token = page.token();
  sessionStorage.setItem(TOKEN, token);
  const response = await fetch('/tasks?limit=1', {
    headers: token === '' ? {} : { Authorization: `Bearer ${token}` },
    cache: 'no-store',
  }).catch(() => undefined);
  if (token !== page.token()) return; // the token was edited meanwhile
  if (response === undefined) state.textContent = 'the server does not answer';
  else if (response.ok) state.textContent = token === '' ? 'signed in' : 'accepted, kept in this tab';
  else state.textContent = token === '' ? '' : 'not valid for this server';
  state.className = response?.ok === true ? 'good' : 'bad';
}

function show(groups: readonly Group[]): void {
  operations.replaceChildren(
    ...groups.flatMap((group) => [
      element('h2', { id: `tag-${group.name}` }, group.name),
      element('p', { className: 'quiet' }, group.text),
      ...group.operations.map((operation) => card(operation, page)),
    ]),
  );
  operations.ariaBusy = 'false';
  contents.replaceChildren(
    ...groups.flatMap((group) => [
      element('h2', {}, group.name),
      element(
        'ul',
        {},
        ...group.operations.map((operation) =>
          element(
            'li',
            {},
            element(
              'a',
              { href: `#${operation.id}`, title: operation.summary },
              element('b', { className: `method ${operation.method.toLowerCase()}` }, operation.method),
              element('code', {}, operation.path),
            ),
          ),
        ),
      ),
    ]),
  );
}

/** Opens the operation that the address names. */
function open(): void {
  const named = document.getElementById(location.hash.slice(1));
  if (named instanceof HTMLDetailsElement) {
    named.open = true;
    named.scrollIntoView();
  }
}

async function begin(): Promise<void> {
  found('actions', HTMLElement).append(themeButton());
  followOtherTabs();
  field.value = sessionStorage.getItem(TOKEN) ?? '';
  field.addEventListener('input', () => void check());
  found('token', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
  window.addEventListener('hashchange', open);
  try {
    const response = await fetch('/openapi.json');
    show(groupsOf((await response.json()) as Json));
    open();
  } catch (broken) {
    operations.replaceChildren(element('p', { className: 'bad' }, `The document cannot be read: ${String(broken)}`));
  }
  await check();
}

void begin();
