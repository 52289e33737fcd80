import { button, say } from './element';

const COPIED_MS = 2_000;

/** A button that copies a text and shows the result. */
export function copies(name: string, title: string, text: () => string): HTMLButtonElement {
  const made = button(name, { title }, () =>
    void copy(text())
      .then(
        () => 'Copied',
        () => 'Not copied',
      )
      .then((said) => {
        say(made, said);
        setTimeout(() => say(made, name), COPIED_MS);
      }),
  );
  return made;
}

/** Copies a text, also where the page has no clipboard API: over plain HTTP from another machine. */
export async function copy(text: string): Promise<void> {
  const isDone = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (isDone === true) return;
  const event = (copying: ClipboardEvent): void => {
    copying.clipboardData?.setData('text/plain', text);
    copying.preventDefault();
    copying.stopImmediatePropagation();
  };
  document.addEventListener('copy', event, { capture: true, once: true });
  const done = document.execCommand('copy');
  document.removeEventListener('copy', event, { capture: true });
  if (!done) throw new Error('The browser does not let this page copy.');
}
