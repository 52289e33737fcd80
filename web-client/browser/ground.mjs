// The ground of a part's facts: browser contexts beside a server, and the errors that the browser reported.
import { readFileSync } from 'node:fs';
import { linkOf } from './chromium.mjs';
import { describe } from './failure.mjs';
import { Gate } from './gate.mjs';

const EACH_WITHIN_MS = 15_000; // of the waits of a fact
const FACT_WITHIN_MS = 180_000; // the longest takes some 15 s on two idle cores
const MOST_FAILED = 3; // facts of a part; the others would probably fail too, and take 15 s each

export class Ground {
  /** The name of the fact that runs. */
  now = 'the browser starts';
  /** Facts of this part that ran, and those that failed. */
  count = 0;
  #failed = 0;
  complaints = [];
  /** The token that answers questions; null if none is given. */
  answerToken = null;
  elsewhere = [];
  /** A desktop window; signed in, except in a part that signs in itself. */
  context;
  page;
  #contexts = new Set();
  #gates = [];

  constructor(address, tokenFile, browser, part, report) {
    Object.assign(this, { address, tokenFile, browser, part, report });
  }

  // Without WebGL the terminal draws with elements: their text is readable here, and most styles are needed.
  static async beside(address, tokenFile, browser, part, report) {
    const ground = new Ground(address, tokenFile, browser, part, report);
    ground.context = await ground.person();
    ground.page = await ground.pageOf(ground.context);
    return ground;
  }

  async signIn() {
    await this.page.goto(linkOf(this.address, this.tokenFile));
    await this.page.locator('.list').waitFor();
  }

  /**
   * Runs a fact. A failure is reported and the next facts of the part run: pages that the fact opened are closed and its routes are
   * removed, but the page stays where it is. A fact that does not end, or is one failure too many, ends the part.
   */
  async fact(name, show) {
    this.now = name;
    this.count++;
    this.report.started(this.part, name);
    const begun = performance.now();
    const before = new Set(this.#pages());
    try {
      await within(show, FACT_WITHIN_MS);
    } catch (error) {
      this.report.failed(name, await this.describe(name, error));
      this.#failed++;
      if (error instanceof Overdue) throw new Error(`The facts behind “${name}” were not tried: it did not end.`);
      if (this.#failed >= MOST_FAILED) throw new Error(`The facts behind “${name}” were not tried: ${MOST_FAILED} of this part have failed.`);
      await this.#tidy(before);
      return;
    }
    this.report.passed(name, Math.round(performance.now() - begun));
  }

  /** Adds a measurement to the report. */
  note(text) {
    this.report.note(text);
  }

  describe(name, error) {
    const { part, complaints, count: number } = this;
    return describe({ name, part, error, complaints, number, pages: this.#pages() });
  }

  #pages() {
    return [...this.#contexts].flatMap((context) => context.pages());
  }

  async #tidy(before) {
    for (const page of this.#pages()) {
      if (before.has(page)) await page.unrouteAll({ behavior: 'ignoreErrors' });
      else await page.close();
    }
  }

  /** Holds a command until the fact opens it. */
  async gate() {
    const gate = await Gate.make();
    this.#gates.push(gate);
    return gate;
  }

  async person(options = {}, browser = this.browser) {
    const context = await browser.newContext({ viewport: { width: 1100, height: 700 }, ...options });
    context.setDefaultTimeout(EACH_WITHIN_MS);
    this.#contexts.add(context);
    context.on('close', () => this.#contexts.delete(context));
    return context;
  }

  /** Another window of the same user, signed in. */
  async signedIn(options = {}) {
    return this.person({ ...options, storageState: await this.context.storageState() });
  }

  async pageOf(context) {
    const page = await context.newPage();
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    if (page.context().browser()?.browserType().name() === 'firefox') await withoutPolicy(page, this.address);
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (!/^(data|blob):$/.test(url.protocol) && url.hostname !== new URL(this.address).hostname)
        this.elsewhere.push(request.url());
    });
    return page;
  }

  /** Tasks that failed facts left running would slow all other parts. */
  async #stopTasks() {
    const headers = { authorization: `Bearer ${readFileSync(this.tokenFile, 'utf8').trim()}` };
    const listed = await (await fetch(`${this.address}/tasks?status=running`, { headers })).json();
    for (const { task_id: id } of listed.tasks ?? listed) 
      await fetch(`${this.address}/tasks/${id}/cancel`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{"reason": "a fact has failed"}' });
  }

  async close() {
    if (this.#failed > 0) await this.#stopTasks();
    for (const context of this.#contexts) await context.close();
    for (const gate of this.#gates) await gate.close();
  }
}

/** In Firefox, playwright-core evaluates text in the page, which the content security policy refuses. That the pages keep it is a fact of Chromium. */
async function withoutPolicy(page, address) {
  await page.route(new RegExp(`^${address}/(docs)?(#.*)?$`), async (route) => {
    const response = await route.fetch();
    const { 'content-security-policy': _policy, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
}

class Overdue extends Error {}

/** Ends the wait for a fact that does not end. */
async function within(show, ms) {
  let timer;
  const overdue = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Overdue(`It did not end within ${ms / 1000} s.`)), ms);
  });
  try {
    await Promise.race([show(), overdue]);
  } finally {
    clearTimeout(timer);
  }
}

export const rows = (page) => page.locator('.xterm-rows');
export const text = async (page) => (await rows(page).innerText()).replaceAll('\u00a0', ' ');
export const shows = (page, words, times = 1) =>
  page.waitForFunction(
    ([wanted, count]) =>
      [...document.querySelectorAll('.xterm-rows')]
        .map((each) => each.textContent)
        .join('')
        .replaceAll('\u00a0', ' ')
        .split(wanted).length > count,
    [words, times],
  );
export const isLive = (page, options = {}) => page.locator('.connection', { hasText: 'live' }).waitFor(options);
export const isComplete = (page) => page.locator('.connection', { hasText: 'complete' }).waitFor();
/** The terminal has its final size and place. */
export const isSettled = (page) => page.locator('.screen[data-size=settled]').waitFor();

/**
 * The task of this page has ended with these words. A flood may take long to end, since all that it wrote is read and digested first:
 * the server says when that is done, and only from then on does the page have its usual time.
 */
export async function ends(page, words) {
  await page.waitForURL(/#\/tasks\/[\w-]+$/);
  const over = () => page.evaluate(async () => (await (await fetch(`/tasks/${location.hash.split('/')[2]}?wait=20000`)).json()).ended_at_ms !== null);
  while (!(await over()));
  await page.locator('.end', { hasText: words }).waitFor();
}

/** The task of this page has more than this number of frames. */
export async function hasFrames(page, count) {
  await page.waitForURL(/#\/tasks\/[\w-]+$/);
  const frames = () => page.evaluate(async () => (await (await fetch(`/tasks/${location.hash.split('/')[2]}`)).json()).next_seq);
  while ((await frames()) <= count);
}

/** All changes so far are drawn, and all scrolls so far are done. */
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Scrolls this element by an action, and waits for its `scrollend`. */
export async function scrolls(page, place, act) {
  await drawn(page);
  const scroll = await page.locator(place).evaluateHandle((element) => {
    const state = { element, moved: false, over: false };
    const target = element === document.documentElement ? document : element;
    target.addEventListener('scroll', () => Object.assign(state, { moved: true, over: false }));
    target.addEventListener('scrollend', () => (state.over = true));
    return state;
  });
  await act();
  await page.waitForFunction(({ moved, over }) => moved && over, scroll);
  return scroll;
}

/** Records the text of this element from now on, null while it is missing. The returned function reads the records so far; its `include` waits for one. */
export async function hears(page, place) {
  const heard = await page.evaluateHandle((selector) => {
    const texts = [];
    const look = () => {
      const text = document.querySelector(selector)?.textContent ?? null;
      if (text !== texts.at(-1)) texts.push(text);
    };
    look();
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    return texts;
  }, place);
  const include = (words) => page.waitForFunction(([texts, wanted]) => texts.includes(wanted), [heard, words]);
  return Object.assign(() => heard.jsonValue(), { include });
}

const NOTHING = 'nothing was copied yet';

/** The text that an action copies. */
export async function copied(page, act) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((nothing) => navigator.clipboard.writeText(nothing), NOTHING);
  await act();
  for (;;) {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    if (text !== NOTHING) return text;
  }
}

/** The text of a terminal with its scrollback, by its Copy button. */
export async function allText(page) {
  return copied(page, () => page.getByRole('button', { name: 'Copy', exact: true }).click());
}

/** Types as a quick typist does, however busy the machine is: the browser is told that one millisecond passes from key to key. */
export async function typesQuickly(page, text) {
  const cdp = await page.context().newCDPSession(page);
  let timestamp = Date.now() / 1000;
  for (const letter of text) {
    timestamp += 0.001;
    const [key, typed, windowsVirtualKeyCode] = letter === '\n' ? ['Enter', '\r', 13] : [letter, letter, /[a-z\d ]/.test(letter) ? letter.toUpperCase().charCodeAt(0) : 0];
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: typed, windowsVirtualKeyCode, timestamp });
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', key, windowsVirtualKeyCode, timestamp });
  }
  await cdp.detach();
}

/** The longest task of the page's main thread during an action. */
export async function longestTask(page, act) {
  await page.evaluate(() => {
    globalThis.longTasks = [];
    globalThis.longTaskWatch = new PerformanceObserver((list) =>
      globalThis.longTasks.push(...list.getEntries().map((each) => Math.round(each.duration))),
    );
    globalThis.longTaskWatch.observe({ entryTypes: ['longtask'] });
  });
  await act();
  return page.evaluate(() => {
    const tasks = [...globalThis.longTasks, ...globalThis.longTaskWatch.takeRecords().map((each) => each.duration)];
    globalThis.longTaskWatch.disconnect();
    return { most: Math.max(0, ...tasks), count: tasks.length };
  });
}
