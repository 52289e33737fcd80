// What the facts stand on: one browser beside one server, people in it, and what the browser complained of.
import { launch } from './chromium.mjs';

const EACH_WITHIN_MS = 15_000;

export class Ground {
  /** Of the fact that is being looked at. */
  now = 'the browser starts';
  complaints = [];
  elsewhere = [];
  /** Signed in, at a desk. */
  context;
  page;

  constructor(address, tokenFile, browser) {
    Object.assign(this, { address, tokenFile, browser });
  }

  // Without WebGL the terminal draws with elements, whose text can be read here, and needs most of its styles.
  static async beside(address, tokenFile) {
    const ground = new Ground(address, tokenFile, await launch(['--disable-3d-apis']));
    ground.context = await ground.person();
    ground.page = await ground.pageOf(ground.context);
    return ground;
  }

  /** Shows that something is so. */
  async fact(name, show) {
    this.now = name;
    const begun = performance.now();
    await show();
    console.log(`so it is: ${name} (${Math.round(performance.now() - begun)} ms)`);
  }

  async person(options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1100, height: 700 }, ...options });
    context.setDefaultTimeout(EACH_WITHIN_MS);
    return context;
  }

  /** The same person with another screen, signed in already. */
  async signedIn(options = {}) {
    return this.person({ ...options, storageState: await this.context.storageState() });
  }

  async pageOf(context) {
    const page = await context.newPage();
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (!/^(data|blob):$/.test(url.protocol) && url.hostname !== new URL(this.address).hostname)
        this.elsewhere.push(request.url());
    });
    return page;
  }

  async close() {
    await this.browser.close();
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
/** All of a terminal as it can be read, above the screen too: what its Copy takes. */
export async function allText(page) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** The longest that the page could not answer while this was done. */
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
