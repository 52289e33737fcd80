// What a task uses, beside a server that measures it.
import assert from 'node:assert/strict';
import { startTask, stopTask } from '../chromium.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const { page } = here;
  const details = page.getByRole('dialog', { name: 'Details' });
  const value = (name) => details.locator(`dt:text-is("${name}") + dd`);
  const said = (name) => value(name).locator('.usage > span').innerText();
  const line = (name) => value(name).locator('path').getAttribute('d');

  await here.fact('the CPU time and memory of a running task are plotted, live', async () => {
    await startTask(page, 'while :; do :; done', 'pipes', 'busy');
    await page.locator('.connection', { hasText: 'live' }).waitFor();
    await page.keyboard.press('d');
    await value('CPU').waitFor();
    assert.match(await said('CPU'), /of CPU time, \d+ % now, \d+ % at most$/);
    assert.match(await said('Memory'), /^[\d.]+ [KM]iB now, [\d.]+ [KM]iB at most/);
    for (const name of ['CPU', 'Memory']) assert.match(await line(name), /^M[\d.]+ [\d.]+H[\d.]+/);
    await page.waitForFunction(
      ([cell, before]) => cell.textContent !== before,
      [await value('CPU').locator('.usage > span').elementHandle(), await said('CPU')],
    );
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
  });

  await here.fact('the plot of an ended task comes from its record', async () => {
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await page.keyboard.press('d');
    await value('CPU').waitFor();
    assert.match(await said('CPU'), /of CPU time, \d+ % at most$/);
    assert.match(await said('Memory'), /^[\d.]+ [KM]iB at most$/);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.locator('.timeline li', { hasText: 'Stopped' }).first().waitFor();
    assert.equal(await page.locator('.timeline li', { hasText: 'CPU' }).count(), 0);
  });
}
