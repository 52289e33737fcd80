/**
 * xterm.js writes its colours and sizes into `<style>` elements and `style` attributes, which the content-security policy refuses: it
 * allows only style sheets of this server. A style sheet object made by a script, or a property of a style set by it, is neither.
 * So style elements made here are hidden placeholders, and text written into them becomes a sheet of the page. The
 * terminal's own option for another document reaches only some of them.
 */
export function adoptStyles(): void {
  if (Object.hasOwn(document, 'createElement')) return;
  const create = document.createElement.bind(document);
  document.createElement = (tag: string, options?: ElementCreationOptions): HTMLElement => {
    if (tag === 'style') return placeholder(create('span'));
    const made = create(tag, options);
    if (tag === 'span') made.setAttribute = setStyled; // the terminal's cells are spans
    return made;
  };
}

function setStyled(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}

function placeholder(stand: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  stand.hidden = true;
  Object.defineProperty(stand, 'textContent', {
    get: () => '',
    set: (text: string) => sheet.replaceSync(text),
  });
  stand.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    Element.prototype.remove.call(stand);
  };
  return stand;
}
