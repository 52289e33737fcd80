// Windows of all widths: every control is within the window.
import assert from 'node:assert/strict';
import { spawnTask, startAgent, startTask, stopTask } from '../chromium.mjs';
import { drawn, isComplete, isLive, isSettled } from '../ground.mjs';

const WIDTHS = [360, 480, 640, 720, 860, 1000, 1280];

/** The parts of a page that are outside of its window, except content that scrolls in a place of its own. */
const outside = () => {
  const inside = (each) => each.closest('.log, .xterm, [hidden], [popover]:not(:popover-open)') !== null;
  return [...document.querySelectorAll('a, button, input, select, textarea, h1')]
    .filter((each) => !inside(each) && !each.classList.contains('unseen') && each.checkVisibility({ visibilityProperty: true }))
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([, { left, right }]) => left < 0 || right > innerWidth)
    .map(([each, { left, right }]) => `${each.tagName} “${each.textContent || each.placeholder}” from ${left} to ${right}`);
};

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());

  await here.fact('in a window of any width all controls are inside it', async () => {
    const wrong = [];
    const look = async (view) => {
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 640 });
        await drawn(page);
        wrong.push(...(await page.evaluate(outside)).map((each) => `${view}, ${width} wide: ${each}`));
      }
    };
    const title = `a title that goes on ${'and on '.repeat(40)}`;
    await page.goto(`${here.address}/`);
    await startTask(page, "printf 'x%.0s' $(seq 3000); sleep 600", 'pipes', title, '1 GiB', `label-${'x'.repeat(50)}`);
    await isLive(page);
    await look('log');
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.locator('.timeline li').nth(2).waitFor();
    await look('timeline');
    await page.getByRole('link', { name: 'Files' }).click();
    await page.getByRole('region', { name: 'Beginning of stdout' }).waitFor();
    await look('files');
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await page.keyboard.press('g');
    await page.locator('.rows li').first().waitFor();
    await look('list');
    await page.getByLabel('Search tasks').fill('goes on'); // and with a button to clear it
    await look('narrowed list');
    await page.keyboard.press('Escape');
    await page.getByLabel('Search tasks').blur();
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'Start a task' }).waitFor();
    await look('start');
    await page.keyboard.press('Escape');
    await startTask(page, 'true', 'pty', title);
    await isComplete(page);
    await look('terminal');
    await page.getByRole('link', { name: 'Replay' }).click();
    await page.getByLabel('Position in the record').waitFor();
    await look('replay');
    const session = `s-${'x'.repeat(50)}-${Date.now()}`;
    await spawnTask(page, "printf 'x%.0s' $(seq 200)", {
      execution_mode: 'pty',
      title,
      origin_session_id: session,
      watch: [{ regex: 'x{100}', event: 'e'.repeat(60) }],
    });
    await page.goto(`${here.address}/#/sessions`);
    await page.locator('.rows li', { hasText: session }).getByText('ended').waitFor({ state: 'attached' });
    await look('sessions');
    await page.locator('.rows li', { hasText: session }).locator('a').click();
    await page.locator('.rows li').first().waitFor();
    await look('session');
    await page.getByRole('link', { name: /^Mailbox/ }).click();
    await page.locator('.items li').nth(2).waitFor();
    await look('mailbox');
    await page.locator('.items li a.row').first().click();
    await page.locator('.hit-steps', { hasText: 'of 2' }).waitFor();
    await look('replay with hits');
    await page.getByRole('link', { name: 'Watchers' }).click();
    await page.locator('.found li').first().waitFor();
    await look('watchers');
    const agent = await startAgent(page, session, title.slice(0, 200), `/tool ${'x'.repeat(300)} y\n/say ${'x'.repeat(3000)}\n/sleep 120000`);
    await page.goto(`${here.address}/#/tasks/${agent}`);
    await page.locator('.said').waitFor();
    await look('conversation');
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    assert.deepEqual(wrong, []);
  });

  await here.fact('in the list a state does not overlap its title', async () => {
    await page.setViewportSize({ width: 1100, height: 700 });
    await page.goto(`${here.address}/`);
    await startTask(page, 'cat', 'pty', 'waiting');
    await page.locator('.task-head .state', { hasText: 'waiting for input' }).waitFor();
    const task = page.url();
    await page.goto(`${here.address}/#/tasks`);
    const row = page.locator('.rows li', { hasText: 'waiting for input' }).first();
    const state = await row.locator('.state').evaluate((each) => {
      const words = document.createRange();
      words.selectNodeContents(each);
      return words.getBoundingClientRect().right;
    });
    const { x: name } = await row.locator('.name').boundingBox();
    assert.ok(state + 8 <= name, `the state ends at ${state}, the title begins at ${name}`);
    await page.goto(task);
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
  });

  await here.fact('a terminal that loads slowly has no frame meanwhile', async () => {
    await startTask(page, 'echo here; cat', 'pty', 'slow to come');
    await isLive(page);
    const other = await here.pageOf(await here.signedIn({ viewport: { width: 900, height: 560 } }));
    // Time passes on that page only while this fact says so: as long as a slow connection takes, however busy the machine is.
    await other.clock.install();
    await other.clock.pauseAt(Date.now() + 1);
    const passes = (ms) => other.clock.runFor(ms);
    let [near, asked] = [null, false];
    const late = [];
    let holds = true;
    await other.routeWebSocket(/attach/, (socket) => {
      const far = socket.connectToServer();
      socket.onMessage((message) => {
        if (message.includes('"resize"')) holds = asked = true;
        far.send(message);
      });
      far.onMessage((message) => (holds ? late.push(message) : socket.send(message)));
      near = socket;
    });
    const arrives = () => {
      holds = false;
      for (const message of late.splice(0)) near.send(message);
    };
    await other.addInitScript(() =>
      new MutationObserver(() => {
        globalThis.wasFramed ||= document.querySelector('.screen.framed') !== null;
      }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] }),
    );
    await other.goto(page.url());
    while (near === null) await passes(20);
    await passes(2_000); // no screen yet
    arrives();
    while (!asked) await passes(20);
    await passes(1_000); // its size is not answered yet
    arrives();
    await page.locator('.screen.framed').waitFor(); // the other viewer's size has been applied
    await other.waitForFunction(
      ([here]) => document.querySelector('.size').textContent !== here,
      [`${80} × ${24}`],
      { polling: 50 },
    );
    await passes(2_000);
    await isLive(other);
    await isSettled(other);
    assert.equal(await other.evaluate(() => globalThis.wasFramed ?? false), false);
    await other.context().close();
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await page.context().close();
  });
}
