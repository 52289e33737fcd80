// Stopping a task, and the result in its record.
import assert from 'node:assert/strict';
import { startTask } from '../chromium.mjs';
import { isLive, typesQuickly } from '../ground.mjs';

/** Runs in the page: the width of the button, and the place of what is below it. */
const look = () => {
  const { x, y, width, height } = document.querySelector('.task-head .tabs').getBoundingClientRect();
  return { stop: document.querySelector('.stop').getBoundingClientRect().width, tabs: [x, y, width, height] };
};

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());
  const asked = page.getByRole('dialog', { name: /^Stop “/ });
  const posted = [];
  page.on('request', (each) => each.method() === 'POST' && posted.push(new URL(each.url()).pathname.split('/').at(-1)));
  const line = (words) => page.locator('.line .text', { hasText: words });

  await here.fact('the shortcut s asks before it stops a task, and further letters do not answer', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, 'echo up; sleep 600', 'pipes', 'train model');
    await isLive(page);
    await line('up').waitFor();
    await page.setViewportSize({ width: 390, height: 700 });
    await page.locator('.stop').click();
    const { x, width } = await asked.boundingBox();
    for (const each of await asked.getByRole('button').all()) {
      const box = await each.boundingBox();
      assert.ok(box.x >= x && box.x + box.width <= x + width, `${await each.innerText()} is cut off`);
    }
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await page.setViewportSize({ width: 1100, height: 700 });
    await page.locator('.log').focus();
    posted.length = 0;
    await typesQuickly(page, 'ls -l\n');
    await asked.waitFor({ state: 'detached' });
    await typesQuickly(page, 's\n');
    await asked.getByText(/^Running for .+\. Enter stops it: TERM first, KILL after 5 s if it still runs\.$/).waitFor();
    assert.deepEqual(posted, []);
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await asked.waitFor({ state: 'detached' });
    await page.locator('.stop').click();
    await asked.waitFor();
    assert.deepEqual(posted, []);
    await page.keyboard.press('Enter');
    await page.locator('.end', { hasText: /^Stopped after [^.]+\.$/ }).waitFor();
    assert.deepEqual(posted, ['cancel']);
  });

  await here.fact('a background task is interrupted', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, "trap 'echo interrupted' INT; echo up; while :; do sleep 1; done", 'pipes', 'interrupted');
    await line('up').waitFor();
    await page.locator('.stop').click();
    await asked.getByRole('button', { name: 'Interrupt (INT)' }).click();
    await line('interrupted').waitFor();
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.locator('.timeline li', { hasText: 'Sent signal INT' }).waitFor();
  });

  await here.fact('a task that ignores TERM is killed at once on request', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, "trap '' TERM; echo deaf; while :; do sleep 1; done", 'pipes', 'deaf');
    await line('deaf').waitFor();
    await page.locator('.stop').click();
    await asked.getByRole('button', { name: 'Kill now' }).click();
    await page.locator('.end', { hasText: /^Killed after/ }).waitFor();
    await page.locator('.title .state', { hasText: /^Killed$/ }).waitFor();
  });

  await here.fact('a stopping task is killed on request before its five seconds are over', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, "trap '' TERM; echo deaf; while :; do sleep 1; done", 'pipes', 'deaf');
    await line('deaf').waitFor();
    const stop = page.locator('.stop');
    const before = await page.evaluate(look);
    await stop.click();
    await page.keyboard.press('Enter');
    const then = await page.waitForFunction(`/^Kill in \\d s$/.test(document.querySelector('.stop').textContent) && (${look})()`);
    await stop.click();
    await page.getByRole('dialog', { name: 'Kill “deaf” now?' }).getByRole('button', { name: 'Kill now' }).click();
    await page.locator('.end', { hasText: /^Killed after/ }).waitFor();
    assert.deepEqual(await then.jsonValue(), before);
  });

  await here.fact('the footer, the timeline and the list say that TERM was ignored', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, "trap '' TERM; echo deaf; while :; do sleep 1; done", 'pipes', 'very deaf');
    await line('deaf').waitFor();
    await page.locator('.stop').click();
    await page.keyboard.press('Enter');
    await page.locator('.end', { hasText: /^Stopped after \d+ s\. Did not react to TERM, killed after 5 s\.$/ }).waitFor();
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.locator('.timeline li', { hasText: 'Did not react to TERM, killed after 5 s' }).waitFor();
    await page.locator('.timeline li', { hasText: 'Stopped (killed)' }).waitFor();
    await page.goto(`${here.address}/#/tasks`);
    await page.locator('.rows li', { hasText: 'very deaf' }).locator('.state', { hasText: /^Killed$/ }).waitFor();
    await page.context().close();
  });
}
