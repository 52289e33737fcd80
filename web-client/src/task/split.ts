import type { ToolTaskSpawned } from '../frames/frames';
import { button, element } from '../page/element';
import { addressOf, taskAddress } from '../route';
import type { Refusal } from '../server/api';
import { TaskPage } from './page';

interface Host {
  failed(refusal: Refusal): void;
  answered(): void;
  reopen(): void;
  edit(spec: ToolTaskSpawned): void;
  /** This task has the keyboard now. */
  focused(page: TaskPage): void;
}

/** Several tasks side by side, as the address names them. */
export function splitPage(ids: readonly string[], host: Host): { root: HTMLElement; close(): void } {
  const root = element('section', { className: 'split' });
  const pages = ids.map((id, i) => {
    const page = new TaskPage(id, 'output', null, host.failed, host.answered, host.reopen, host.edit);
    const rest = ids.filter((_, at) => at !== i);
    const address = rest.length > 1 ? addressOf({ page: 'split', ids: rest }) : taskAddress(rest[0] ?? '');
    const part = element(
      'div',
      { className: 'part' },
      page.root,
      element(
        'div',
        { className: 'part-tools' },
        element('a', { className: 'button', href: taskAddress(id), title: 'Show this task alone', ariaLabel: 'Show this task alone' }, '⤢'),
        button('✕', { title: 'Close this task; it continues', ariaLabel: 'Close this task; it continues' }, () => (location.hash = address)),
      ),
    );
    part.addEventListener('focusin', () => host.focused(page));
    root.append(part);
    return page;
  });
  root.dataset['parts'] = String(pages.length);
  if (pages[0] !== undefined) host.focused(pages[0]);
  return { root, close: () => pages.forEach((page) => page.close()) };
}
