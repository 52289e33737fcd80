/** Copies a text, also where the browser gives pages no clipboard of their own, which is over plain HTTP beyond this machine. */
export async function copy(text: string): Promise<void> {
  if ('clipboard' in navigator) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const event = (copying: ClipboardEvent): void => {
    copying.clipboardData?.setData('text/plain', text);
    copying.preventDefault();
    copying.stopImmediatePropagation();
  };
  document.addEventListener('copy', event, { capture: true, once: true });
  document.execCommand('copy');
  document.removeEventListener('copy', event, { capture: true });
}
