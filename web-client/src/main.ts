import { factsOf, moodOf, statusOf, type Fact, type Json, type Mood } from './health';

const ASK_EVERY_MS = 2_000; // quick enough to watch the journal drain, and next to nothing for the server
const ANSWER_WITHIN_MS = 5_000;

const headline = element('headline');
const list = element('facts');

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`index.html has no element with the id '${id}'`);
  return found;
}

function say(mood: Mood, text: string): void {
  headline.dataset['mood'] = mood;
  if (headline.textContent !== text) headline.textContent = text; // a screen reader repeats every change
}

function show(facts: readonly Fact[]): void {
  list.replaceChildren(
    ...facts.flatMap(({ term, text }) => {
      const dt = document.createElement('dt');
      const dd = document.createElement('dd');
      dt.textContent = term;
      dd.textContent = text;
      return [dt, dd];
    }),
  );
}

async function ask(): Promise<void> {
  try {
    const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const answer = (await response.json()) as Json;
    const mood = moodOf(response.status, answer);
    say(mood, mood === 'good' ? 'Up and well' : `Up, but it says: ${statusOf(answer) ?? `HTTP ${response.status}`}`);
    show(factsOf(answer));
    list.classList.remove('stale');
  } catch {
    say('bad', 'The server does not answer');
    list.classList.add('stale'); // what it said last stays readable
  }
}

/** One question at a time, and none while nobody looks. */
async function watch(): Promise<never> {
  for (;;) {
    if (document.visibilityState === 'visible') await ask();
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}

void watch();
