// Broken connections: output is not shown twice, and input arrives once.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { linkOf, startTask, stopTask } from '../chromium.mjs';
import { allText, hears, isLive, shows } from '../ground.mjs';
import { Proxy } from '../proxy.mjs';

// Counts all the time, and prints each line of its input under a number of its own.
const COUNTS = String.raw`stty -echo; exec node -e 'let i = 0, n = 0, part = ""; process.stdin.on("data", (some) => { const lines = (part + some).split("\n"); part = lines.pop(); for (const line of lines) console.log("line " + ++n + " is " + line + "."); }); setInterval(() => console.log("tick " + ++i + ", " + n + " lines."), 20)'`;

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const proxy = await Proxy.to(here.address);
  const page = await here.pageOf(await here.signedIn());
  const numbers = (text, what) => [...text.matchAll(what)].map(([, number]) => Number(number));
  const newestTick = () => Number(/.*tick (\d+),/.exec(document.querySelector('.xterm-rows').textContent.replaceAll('\u00a0', ' '))?.[1]);
  const ticksBeyond = (page, least) => page.waitForFunction(`(${newestTick})() > ${least}`);
  const from = (first, count) => Array.from({ length: count }, (_, i) => first + i);

  await here.fact('over cut connections nothing is lost or repeated, and input arrives once', async () => {
    await page.goto(`${proxy.address}/`);
    await startTask(page, COUNTS, 'pty', 'ticks');
    await isLive(page);
    await shows(page, ', 0 lines.');
    for (let i = 1; i <= 5; i++) {
      // Cuts while the input, or its reply, is on its way.
      await page.keyboard.type(`typed ${i}\n`);
      proxy.cut();
      await shows(page, `, ${i} lines.`);
    }
    proxy.pull();
    await page.locator('.connection', { hasText: 'offline, retrying in' }).waitFor();
    await page.keyboard.type('typed while away\n');
    await page.locator('.connection', { hasText: 'offline, retrying in 1 s' }).waitFor();
    proxy.join();
    await shows(page, ', 6 lines.');
    await isLive(page);
    await ticksBeyond(page, 50);
    const all = await allText(page);
    const ticks = numbers(all, /tick (\d+),/g);
    assert.deepEqual(ticks, from(1, ticks.length));
    assert.deepEqual(
      [...all.matchAll(/line \d+ is .*/g)].map(String),
      [...from(1, 5).map((i) => `line ${i} is typed ${i}.`), 'line 6 is typed while away.'],
    );
  });

  await here.fact('the viewers are unknown while the server is unreachable, and return at once with it', async () => {
    const other = await here.pageOf(page.context());
    await other.goto(page.url().replace(proxy.address, here.address));
    await page.getByText('1 other viewer').waitFor();
    proxy.pull();
    await page.locator('.connection', { hasText: 'offline, retrying in' }).waitFor();
    await page.getByText('1 other viewer').waitFor({ state: 'hidden' });
    for (const seconds of ['[23]', '([4-9]|1\\d)']) // each wait is longer
      await page.locator('.connection', { hasText: new RegExp(`offline, retrying in ${seconds} s`) }).waitFor();
    // The page keeps requesting the task: with the first response it reconnects, however long it would have waited.
    const did = [];
    page.on('response', (answer) => /\/tasks\/[^/]+$/.test(answer.url()) && did.push('answered'));
    page.on('websocket', () => did.push('connects'));
    proxy.join();
    await isLive(page);
    assert.ok(did.indexOf('connects') <= 1, `it ${did.join(', ')}`);
    await page.getByText('1 other viewer').waitFor();
    await other.close();
  });

  await here.fact('a silently dead connection is replaced, and input arrives once', async () => {
    proxy.join(); // if the fact before has failed
    await isLive(page);
    proxy.freeze();
    await page.keyboard.type('typed to nobody\n');
    await shows(page, ', 7 lines.');
    await isLive(page);
    const all = await allText(page);
    const ticks = numbers(all, /tick (\d+),/g);
    assert.deepEqual(ticks, from(ticks[0], ticks.length));
    assert.deepEqual([...all.matchAll(/line 7 is .*/g)].map(String), ['line 7 is typed to nobody.']);
  });

  await here.fact('pages opened while the server was unreachable load when it returns, and nothing moves', async () => {
    const list = await here.pageOf(page.context());
    await list.goto(`${proxy.address}/#/tasks`);
    await list.locator('.rows li').first().waitFor();
    const place = await list.locator('.filters').boundingBox();
    proxy.pull();
    await list.locator('#trouble', { hasText: 'Cannot reach the server' }).waitFor();
    assert.deepEqual(await list.locator('.filters').boundingBox(), place);
    await list.keyboard.press('j');
    await list.keyboard.press('Enter');
    await list.locator('.task-head').waitFor();
    assert.equal(await list.locator('.stop:visible').count(), 0); // an unknown task cannot be stopped
    await list.locator('#trouble', { hasText: 'Cannot reach the server' }).waitFor();
    proxy.join();
    await list.getByRole('heading', { name: 'ticks' }).waitFor();
    await list.locator('#trouble').waitFor({ state: 'hidden' });
    await list.goBack();
    await list.locator('.rows li').first().waitFor();
    proxy.pull();
    await list.locator('#trouble').waitFor();
    proxy.join();
    await list.locator('#trouble').waitFor({ state: 'hidden' });
    await list.locator('.list:not(.stale)').waitFor();
    await list.close();
  });

  await here.fact('an expired session asks for the token and continues in place', async () => {
    const context = await here.signedIn();
    const other = await here.pageOf(context);
    await other.goto(page.url());
    await isLive(other);
    await context.clearCookies();
    await other.getByText('Your session has ended').waitFor();
    await other.getByLabel('Access token').fill(linkOf('', here.tokenFile).split('=')[1]);
    await other.getByLabel('Access token').press('Enter');
    await other.getByRole('heading', { name: 'ticks' }).waitFor();
    await isLive(other);
    await context.close();
  });

  await here.fact('a late viewer sees the screen at once, with its scrollback', async () => {
    const late = await here.pageOf(page.context());
    await late.goto(page.url());
    await isLive(late);
    await ticksBeyond(late, await page.evaluate(newestTick)); // the screen is drawn, with what was written before
    const ticks = numbers(await allText(late), /tick (\d+),/g);
    assert.deepEqual(ticks, from(ticks[0], ticks.length));
    assert.ok(ticks.length > 50, `only ${ticks.length} ticks`); // a screen has fewer of them
    await late.close();
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
  });

  await here.fact('a timeline with a cut connection says so until it is back, also without new frames', async () => {
    const quiet = await here.pageOf(page.context());
    await quiet.goto(`${proxy.address}/`);
    await startTask(quiet, 'sleep 600', 'pipes', 'quiet');
    await isLive(quiet);
    await quiet.getByRole('link', { name: 'Timeline' }).click();
    await quiet.locator('.timeline li').filter({ hasText: /^\d+\S+ s ?Running/ }).waitFor();
    const said = await hears(quiet, '.timeline-view .scrolled > .note');
    proxy.cut();
    await said.include('The connection broke. Reconnecting…');
    await quiet.getByText('The connection broke. Reconnecting…').waitFor({ state: 'detached' });
    await stopTask(quiet);
    await quiet.locator('.timeline li', { hasText: 'Stopped (' }).waitFor();
    await quiet.close();
  });

  await here.fact('a paste of a megabyte arrives complete and in order, also over a cut connection', async () => {
    const pasted = Array.from({ length: 1_000_000 }, (_, i) => String.fromCharCode(33 + ((i * 7919 + (i >> 8)) % 90)));
    const digest = createHash('sha256').update(pasted.join('')).digest('hex');
    await page.goto(`${proxy.address}/`);
    await startTask(page, 'stty raw -echo; echo ready; head -c 1000000 | sha256sum; sleep 600', 'pty', 'a megabyte');
    await shows(page, 'ready');
    await isLive(page);
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      document
        .querySelector('.xterm-helper-textarea')
        .dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }, pasted.join(''));
    await page.locator('.connection', { hasText: 'live' }).waitFor();
    proxy.cut();
    await shows(page, digest);
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await page.context().close();
    proxy.close();
  });
}
