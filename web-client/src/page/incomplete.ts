import { button, element } from './element';

/** Shown when a module failed to load, which a browser does not retry. */
export function incompletePage(): HTMLElement {
  return element(
    'p',
    { className: 'empty' },
    'Part of this page could not be loaded: the server was unreachable, or has been updated. ',
    button('Reload', {}, () => location.reload()),
  );
}
