// The list, and finding tasks.
import assert from 'node:assert/strict';
import { startTask } from '../chromium.mjs';
import { isComplete } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const { page } = here;

  await here.fact('the list finds tasks by their titles, with the keyboard', async () => {
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
    await isComplete(page);
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

  await here.fact('the list shows what each task wrote last, and for how long it has run, as it goes on', async () => {
    await startTask(page, 'for i in 1 2 3 4 5 6; do echo "at work $i"; sleep 0.5; done; sleep 60', 'pipes', 'works');
    await page.locator('.line', { hasText: 'at work' }).first().waitFor();
    await page.keyboard.press('g');
    const row = page.locator('.rows li', { hasText: 'works' }).first();
    await row.locator('.last', { hasText: /at work [1-6]/ }).waitFor();
    const place = await row.boundingBox();
    await row.locator('.last', { hasText: 'at work 6' }).waitFor();
    const time = row.locator('.figure').nth(1);
    await page.waitForFunction(({ cell, before }) => cell.textContent !== before, {
      cell: await time.elementHandle(),
      before: await time.innerText(),
    });
    assert.deepEqual(await row.boundingBox(), place); // nothing has jumped
    await row.locator('a').click();
    await page.locator('.stop').click();
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
  });

  await here.fact('a task that is not there is said to be so', async () => {
    await page.goto(`${here.address}/#/tasks/nobody`);
    await page.getByText('There is no such task').waitFor();
  });
}
