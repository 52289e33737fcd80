import { element, say } from '../page/element';
import { factsOf, moodOf, statusOf, type Json } from './health';

const ASK_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 5_000;

/** The server's health, refreshed while the page is visible. */
export function serverPage(): { root: HTMLElement; close(): void } {
  const headline = element('p', { className: 'headline', role: 'status' }, 'Asking the server …');
  const list = element('dl', { className: 'facts sheet' });
  const ask = async (): Promise<void> => {
    try {
      const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
      const answer = (await response.json()) as Json;
      const mood = moodOf(response.status, answer);
      headline.dataset['mood'] = mood;
      say(
        headline,
        mood === 'good' ? 'Healthy' : `Degraded: ${statusOf(answer) ?? `HTTP ${response.status}`}`,
      );
      list.replaceChildren(
        ...factsOf(answer).flatMap(({ term, text }) => [element('dt', {}, term), element('dd', {}, text)]),
      );
      list.classList.remove('stale');
    } catch {
      headline.dataset['mood'] = 'bad';
      say(headline, 'Cannot reach the server');
      list.classList.add('stale'); // its last answer stays readable
    }
  };
  const timer = setInterval(() => void (document.visibilityState === 'visible' && ask()), ASK_EVERY_MS);
  void ask();
  const links = element(
    'p',
    { className: 'quiet' },
    'The same as JSON: ',
    element('a', { href: '/healthz' }, '/healthz'),
    '. Metrics: ',
    element('a', { href: '/metrics' }, '/metrics'),
    '. All requests: ',
    element('a', { href: '/docs' }, 'the API'),
    '.',
  );
  return {
    root: element('section', { className: 'server' }, element('h1', {}, 'This server'), headline, list, links),
    close: () => clearInterval(timer),
  };
}
