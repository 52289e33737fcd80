import { button, say } from './element';

const COPIED_MS = 2_000;

/** A button that copies a text and shows the result. */
export function copies(name: string, title: string, text: () => string | Promise<string>): HTMLButtonElement {
  const made = button(name, { title }, () =>
    void copyOf(text)
      .then(
        () => 'Copied',
        () => 'Not copied',
      )
      .then((said) => saysBriefly(made, said, name)),
  );
  return made;
}

/** Shows the result of a button on the button itself, for a moment. */
export function saysBriefly(where: HTMLButtonElement, said: string, name: string): void {
  say(where, said);
  setTimeout(() => say(where, name), COPIED_MS);
}

async function copyOf(text: () => string | Promise<string>): Promise<void> {
  await copy(await text());
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
