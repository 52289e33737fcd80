// What holds in a real browser beside a real server: `node browser/facts.mjs ADDRESS TOKEN_FILE`. Prints each fact that it has seen,
// and ends with the first that is not so.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { launch, linkOf, startTask } from './chromium.mjs';

const [address = '', tokenFile = ''] = process.argv.slice(2);
const ALL_WITHIN_MS = 90_000;
const EACH_WITHIN_MS = 15_000;
const FIRST_LOAD_BYTES = 250 * 1024;

let now = 'the browser starts';

async function fact(name, show) {
  now = name;
  const begun = performance.now();
  await show();
  console.log(`so it is: ${name} (${Math.round(performance.now() - begun)} ms)`);
}

// Without WebGL the terminal draws with elements, whose text can be read here, and needs most of its styles.
const browser = await launch(['--disable-3d-apis']);
setTimeout(() => {
  console.error(`The browser test did not end within ${ALL_WITHIN_MS / 1000} s; it was at: ${now}.`);
  process.exit(2);
}, ALL_WITHIN_MS).unref();
const complaints = [];
const elsewhere = [];

async function person(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 700 }, ...options });
  context.setDefaultTimeout(EACH_WITHIN_MS);
  return context;
}

async function pageOf(context) {
  const page = await context.newPage();
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(address)) elsewhere.push(request.url());
  });
  return page;
}

const rows = (page) => page.locator('.xterm-rows');
const text = async (page) => (await rows(page).innerText()).replaceAll('\u00a0', ' ');
const shows = (page, words) =>
  page.waitForFunction(
    (wanted) => (document.querySelector('.xterm-rows')?.textContent ?? '').replaceAll('\u00a0', ' ').includes(wanted),
    words,
  );
const isLive = (page) => page.locator('.connection', { hasText: 'live' }).waitFor();

try {
  const context = await person();
  const page = await pageOf(context);

  await fact('a link that is not good says how to get in, and the token opens', async () => {
    await page.goto(`${address}/#token=${'x'.repeat(43)}`);
    await page.getByText('That link is not good any more').waitFor();
    assert.equal(page.url(), `${address}/`);
    await page.getByLabel('Access token').fill(linkOf('', tokenFile).split('=')[1]);
    await page.getByLabel('Access token').press('Enter');
    await page.getByText('Nothing has run here yet').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Welcome to Penstock').waitFor();
  });

  await fact('the link signs in, and leaves no token in the address or within reach of scripts', async () => {
    await page.goto('about:blank');
    await page.goto(linkOf(address, tokenFile));
    await page.getByText('Nothing has run here yet').waitFor();
    assert.equal(page.url(), `${address}/`);
    assert.equal(await page.evaluate(() => document.cookie), '');
    const [cookie] = await context.cookies();
    assert.deepEqual([cookie.name, cookie.httpOnly, cookie.sameSite, cookie.path], ['penstock', true, 'Strict', '/']);
  });

  await fact('what is typed into a task that was started with the keyboard is echoed', async () => {
    await startTask(page, 'cat', 'pty', 'an echo');
    await isLive(page);
    await page.keyboard.type('hello there\n');
    await page.waitForFunction(
      () =>
        (document.querySelector('.xterm-rows')?.textContent ?? '').replaceAll('\u00a0', ' ').split('hello there')
          .length === 3,
    );
  });

  await fact('the same text is there after a reload', async () => {
    const before = await text(page);
    await page.reload();
    await shows(page, 'hello there');
    await isLive(page);
    assert.equal((await text(page)).trim(), before.trim());
  });

  await fact('two who look at one task see the same, and that they are two', async () => {
    const other = await pageOf(context);
    await other.goto(page.url());
    await isLive(other);
    await page.getByText('1 other here').waitFor();
    await other.locator('.screen').click();
    await other.keyboard.type('from the other\n');
    await shows(page, 'from the other');
    await other.close();
    await page.getByText('1 other here').waitFor({ state: 'detached' });
  });

  await fact('several lines are pasted only when somebody says so', async () => {
    await page.locator('.screen').click();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'one line\nand another\n');
      document
        .querySelector('.xterm-helper-textarea')
        .dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await page.getByRole('dialog').getByText('Paste 2 lines?').waitFor();
    assert.ok(!(await text(page)).includes('and another'));
    await page.getByRole('button', { name: 'Paste', exact: true }).click();
    await shows(page, 'and another');
  });

  await fact('a terminal is as large as the place it has', async () => {
    const size = page.locator('.tools .figure');
    const before = await size.innerText();
    await page.setViewportSize({ width: 700, height: 500 });
    await page.waitForFunction((old) => document.querySelector('.tools .figure')?.textContent !== old, before);
    await page.setViewportSize({ width: 1100, height: 700 });
    await page.waitForFunction((old) => document.querySelector('.tools .figure')?.textContent === old, before);
  });

  await fact('a task that is stopped says how it ended', async () => {
    await page.locator('.stop').click();
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await page.locator('.connection', { hasText: 'complete' }).waitFor();
    assert.ok((await text(page)).includes('hello there'));
  });

  await fact('the record names who did what, and links to each place', async () => {
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.getByText('Typed hello there⏎').waitFor();
    const asked = page.locator('.timeline li', { hasText: 'Asked to stop' });
    await asked.locator('.seq').click();
    await page.locator('.timeline li.marked', { hasText: 'Asked to stop' }).waitFor();
    await page.reload();
    await page.locator('.timeline li.marked', { hasText: 'Asked to stop' }).waitFor();
  });

  await fact('its files can be taken away, and so can its recording', async () => {
    await page.getByRole('link', { name: 'Files' }).click();
    const card = (name) => page.locator('.files li', { hasText: name });
    for (const [name, begin] of [
      ['terminal', 'hello there'],
      ['recording', '{"version": 3'],
    ]) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        card(name).getByRole('link', { name: 'Download' }).click(),
      ]);
      const content = await readFile(await download.path(), 'utf8');
      assert.ok(content.startsWith(begin), content.slice(0, 200));
    }
  });

  await fact('a log tells its channels apart, in colour', async () => {
    await startTask(page, "echo out; echo err >&2; printf '\\033[31mred\\033[0m\\n'; exit 3", 'pipes');
    await page.locator('.line[data-channel=stderr]', { hasText: 'err' }).waitFor();
    await page.locator('.line[data-channel=stdout] .text span', { hasText: 'red' }).waitFor();
    await page.locator('.end', { hasText: 'Ended with exit code 3' }).waitFor();
  });

  await fact('of a long log only what is looked at is fetched', async () => {
    await startTask(page, 'seq 1 2000000', 'pipes', 'counting');
    await page.locator('.end', { hasText: 'Ended well' }).waitFor();
    await page.locator('.line .text', { hasText: /^2000000$/ }).waitFor();
    await page.reload();
    await page.getByText('Only the newest output is shown here').waitFor();
    const fetched = [];
    page.on(
      'response',
      (response) =>
        void response.body().then(
          (body) => fetched.push(body.length),
          () => undefined,
        ),
    );
    await page.getByRole('group', { name: 'What is shown' }).getByRole('button', { name: 'stdout' }).click();
    await page.locator('.line .number', { hasText: /^2000000$/ }).waitFor();
    await page.locator('.log').evaluate((log) => (log.scrollTop = 0));
    await page.locator('.line .text', { hasText: /^1$/ }).waitFor();
    await page.locator('.log').evaluate((log) => (log.scrollTop = log.scrollHeight / 2));
    await page
      .locator('.line .text', { hasText: /^10000\d\d$/ })
      .first()
      .waitFor();
    assert.ok(fetched.reduce((sum, bytes) => sum + bytes, 0) < 100_000, `${fetched} bytes were fetched`);
  });

  await fact('output beyond what is kept holds up nobody, and is said to be missing', async () => {
    await startTask(page, 'seq 1 4000000', 'pipes', 'too much');
    await page.locator('.end', { hasText: 'the first 16.0 MiB were kept' }).waitFor();
    await page.locator('.connection', { hasText: 'complete' }).waitFor();
  });

  await fact('the list finds tasks by their titles, with the keyboard', async () => {
    await page.keyboard.press('g');
    await page.locator('.rows li').nth(2).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('AN ECHO');
    await page.locator('.rows li').nth(1).waitFor({ state: 'detached' });
    await page.getByLabel('Search titles').blur();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'an echo' }).waitFor();
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await page.locator('.connection', { hasText: 'complete' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('count');
    await page.getByRole('option', { name: 'counting' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'counting' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
  });

  await fact('a task that is not there is said to be so', async () => {
    await page.goto(`${address}/#/tasks/nobody`);
    await page.getByText('There is no such task').waitFor();
  });

  await fact('on a phone, the keys that it lacks are there', async () => {
    const phone = await person({
      viewport: { width: 390, height: 780 },
      isMobile: true,
      hasTouch: true,
      storageState: await context.storageState(),
    });
    const held = await pageOf(phone);
    await held.goto(`${address}/`);
    await held.getByRole('button', { name: 'New task' }).click();
    await held.getByLabel('Command').fill('cat');
    await held.getByLabel('a terminal').check();
    await held.getByRole('button', { name: 'Run' }).click();
    await isLive(held);
    assert.ok(
      await held.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      'the page is wider than the phone',
    );
    await held.getByRole('button', { name: 'Control, for the next key' }).tap();
    await held.keyboard.type('c');
    await held.locator('.end', { hasText: 'Ended by signal 2' }).waitFor();
    await phone.close();
  });

  await fact('the first load is small, and the policy for contents was never broken', async () => {
    const fresh = await pageOf(await person());
    const loaded = [];
    fresh.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname === '/' || pathname.startsWith('/assets/'))
        loaded.push(response.body().then((body) => gzipSync(body).length));
    });
    await fresh.goto(linkOf(address, tokenFile));
    await fresh.locator('.rows a', { hasText: 'an echo' }).click();
    await shows(fresh, 'hello there'); // so xterm.js is loaded too
    const bytes = (await Promise.all(loaded)).reduce((sum, each) => sum + each, 0);
    console.log(`${bytes} bytes gzipped`);
    assert.ok(bytes > 10_000 && bytes <= FIRST_LOAD_BYTES, `${bytes} bytes gzipped`);
    assert.deepEqual(complaints, []);
    assert.deepEqual(elsewhere, []);
  });
  console.log('all of it is so');
} catch (wrong) {
  console.error(
    `It is not so that ${now}:\n${wrong instanceof Error ? (wrong.stack ?? wrong.message) : String(wrong)}`,
  );
  if (complaints.length > 0) console.error(`The browser said: ${complaints.join('\n')}`);
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    console.error(
      `\n${page.url()} shows:\n${(await page.locator('body').innerText({ timeout: 1000 }).catch(String)).slice(0, 1500)}`,
    );
  }
  process.exitCode = 1;
} finally {
  await browser.close();
}
