// What people are used to from terminals: copying, prompts, several at once, notifications.
import assert from 'node:assert/strict';
import { isOpen, spawnTask, startTask, stopTask } from '../chromium.mjs';
import { copied, hears, isLive, isSettled, shows } from '../ground.mjs';

const PROMPTS = String.raw`p() { printf '\033]133;A\033\\$ %s\n\033]133;C\033\\' "$1"; }; d() { printf '\033]133;D;%d\033\\' $1; }; p one; seq 60; d 0; p two; seq 60; d 3; p three; cat`;

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());

  await here.fact('Ctrl+C copies a selection, says so, and interrupts without one', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, 'stty -echo; trap "echo interrupted" INT; echo word; while :; do read -r line; done', 'pty', 'copied');
    await isLive(page);
    await shows(page, 'word');
    await isSettled(page);
    const { x, y } = await page.locator('.xterm-rows > div', { hasText: 'word' }).first().boundingBox();
    await page.mouse.dblclick(x + 4, y + 4);
    const said = await hears(page, '.tools button[aria-label=Copy]');
    assert.equal(await copied(page, () => page.keyboard.press('Control+c')), 'word');
    await said.include('Copied');
    assert.equal(await page.locator('.xterm-rows', { hasText: 'interrupted' }).count(), 0);
    await page.keyboard.press('Control+c');
    await shows(page, 'interrupted');
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
  });

  await here.fact('the prompts of a shell are marked, and a key leads from one to the next', async () => {
    const gate = await here.gate();
    await startTask(page, `${gate.waits}; ${PROMPTS}`, 'pty', 'prompts');
    await isLive(page);
    await isSettled(page);
    await gate.open();
    await shows(page, '$ three');
    await page.keyboard.press('Control+Shift+ArrowUp');
    await page.locator('.xterm-rows > div:first-child', { hasText: '$ two' }).waitFor();
    await page.locator('.command-mark[data-outcome=failed][title="exit code 3"]').waitFor();
    await page.keyboard.press('Control+Shift+ArrowUp');
    await page.locator('.xterm-rows > div:first-child', { hasText: '$ one' }).waitFor();
    await page.locator('.command-mark[data-outcome=succeeded]').waitFor();
    await page.keyboard.press('Control+Shift+ArrowDown');
    await page.locator('.xterm-rows > div:first-child', { hasText: '$ two' }).waitFor();
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
  });

  await here.fact('several tasks are shown side by side, and the address keeps them', async () => {
    const one = await spawnTask(page, 'while read -r line; do echo "one: $line"; done', { title: 'first of two', execution_mode: 'pty' });
    const two = await spawnTask(page, 'while read -r line; do echo "two: $line"; done', { title: 'second of two', execution_mode: 'pty' });
    await page.goto(`${here.address}/#/tasks/${one}`);
    await isLive(page);
    await page.keyboard.press('Control+Shift+k');
    await page.keyboard.type('Show another task beside');
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: /second of two/ }).first().click();
    await page.waitForURL(new RegExp(`#/split/${one}/${two}$`));
    await page.reload();
    const part = (nth) => page.locator('.part').nth(nth);
    for (const nth of [0, 1]) await part(nth).locator('.connection', { hasText: 'live' }).waitFor();
    await part(1).locator('.screen').click();
    await page.keyboard.type('hello\n');
    await part(1).locator('.xterm-rows', { hasText: 'two: hello' }).waitFor();
    await part(0).locator('.screen').click();
    await page.keyboard.type('there\n');
    await part(0).locator('.xterm-rows', { hasText: 'one: there' }).waitFor();
    await part(0).getByRole('button', { name: 'Close this task' }).click();
    await page.waitForURL(new RegExp(`#/tasks/${two}$`));
    await part(0).waitFor({ state: 'detached' });
    await isOpen(page);
    await shows(page, 'two: hello');
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await page.goto(`${here.address}/#/tasks/${one}`);
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
  });

  await here.fact('a terminal of a larger window is never drawn below 9 px', async () => {
    const wide = await here.pageOf(await here.signedIn({ viewport: { width: 1440, height: 900 } }));
    await wide.goto(`${here.address}/`);
    await startTask(wide, 'echo wide; cat', 'pty', 'wide');
    await isLive(wide);
    await shows(wide, 'wide');
    await isSettled(wide);
    const small = await here.pageOf(await here.signedIn({ viewport: { width: 700, height: 500 } }));
    await small.addInitScript(() => (document.hasFocus = () => false));
    await small.goto(wide.url());
    await isLive(small);
    await isSettled(small);
    await wide.locator('.screen.framed').waitFor(); // both know that the small window's size counts
    await wide.keyboard.press('Control+Shift+e');
    await wide.locator('.screen').click(); // its size counts again
    await small.locator('.screen.exceeds').waitFor();
    await isSettled(small);
    const size = await small.locator('.xterm-rows').evaluate((rows) => parseFloat(getComputedStyle(rows).fontSize));
    assert.ok(size >= 9, `${size} px`);
    await stopTask(wide);
    await wide.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await wide.context().close();
    await small.context().close();
  });

  await here.fact('the end of a task is notified, if that is turned on and the page is not looked at', async () => {
    const context = await here.signedIn();
    await context.grantPermissions(['notifications'], { origin: here.address });
    const other = await here.pageOf(context);
    await other.addInitScript(() => {
      globalThis.notices = [];
      globalThis.Notification = class extends Notification {
        constructor(title, options) {
          super(title, options);
          globalThis.notices.push(`${title}: ${options.body}`);
        }
      };
    });
    await other.goto(`${here.address}/`);
    const gates = [await here.gate(), await here.gate()];
    await startTask(other, gates[0].waits, 'pipes', 'unseen');
    await isLive(other);
    await gates[0].open();
    await other.locator('.end', { hasText: 'Succeeded' }).waitFor();
    assert.deepEqual(await other.evaluate(() => globalThis.notices), []); // off
    const bell = other.getByRole('button', { name: 'Notifications' });
    await bell.click();
    await bell.and(other.locator('[aria-pressed=true]')).waitFor();
    await startTask(other, `${gates[1].waits}; exit 3`, 'pipes', 'told');
    await isLive(other);
    await other.evaluate(() => (document.hasFocus = () => false));
    await gates[1].open();
    await other.waitForFunction(() => /^told: Failed with exit code 3/.test(globalThis.notices[0]));
    await context.close();
    await page.context().close();
  });
}
