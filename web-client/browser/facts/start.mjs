// The dialog that starts a task.
import assert from 'node:assert/strict';
import { openOptions } from '../chromium.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());
  const dialog = page.getByRole('dialog', { name: 'Start a task' });

  await here.fact('an invalid field is named, until it is corrected', async () => {
    await page.goto(`${here.address}/`);
    await page.keyboard.press('n');
    await dialog.getByLabel('Command').fill('true');
    await openOptions(dialog);
    await dialog.getByLabel('Folder').fill('nowhere');
    await dialog.getByLabel('Folder').press('Enter');
    await dialog.getByText('The folder "nowhere" is not a directory in the workspace').waitFor();
    await dialog.getByLabel('Folder').press('Backspace');
    assert.equal(await dialog.locator('.complaint').innerText(), '');
    await dialog.getByLabel('Folder').fill('');
  });

  await here.fact('a task has a time limit of an hour, unless another is chosen', async () => {
    const asked = async () => {
      const [request] = await Promise.all([
        page.waitForRequest((each) => each.method() === 'POST' && each.url().endsWith('/tasks')),
        dialog.getByLabel('Command').press('Enter'),
      ]);
      await dialog.waitFor({ state: 'detached' });
      return request.postDataJSON().timeout_secs;
    };
    assert.match(await dialog.getByLabel('Time limit').locator('option:checked').innerText(), /^1 hour \(default\)$/);
    assert.equal(await asked(), 3600);
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await page.goto(`${here.address}/#/tasks`);
    await page.locator('.rows li').first().waitFor();
    await page.keyboard.press('n');
    await dialog.getByLabel('Command').fill('true');
    await openOptions(dialog);
    await dialog.getByLabel('Time limit').selectOption('24 hours');
    assert.equal(await asked(), 86400);
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
  });

  await here.fact('a task is started once, however often Enter is pressed', async () => {
    await page.goto(`${here.address}/#/tasks`);
    await page.locator('.rows li').first().waitFor();
    const names = [];
    let away = true;
    let goOn = () => {};
    const held = new Promise((resolve) => (goOn = resolve));
    await page.route('**/tasks', async (route) => {
      names.push(route.request().headers()['idempotency-key']);
      await held;
      const answer = await route.fetch();
      if (away) await route.abort();
      else await route.fulfill({ response: answer });
    });
    await page.keyboard.press('n');
    await dialog.getByLabel('Command').fill('echo once');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    goOn();
    await dialog.getByText('Cannot reach the server.').waitFor();
    away = false;
    await page.keyboard.press('Enter'); // a user who does not know whether the task was started tries again
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    assert.equal(names.length, 2);
    assert.equal(names[0], names[1]);
    await page.unroute('**/tasks');
    await page.goto(`${here.address}/#/tasks`);
    await page.locator('.rows li', { hasText: 'echo once' }).first().waitFor();
    assert.equal(await page.locator('.rows li', { hasText: 'echo once' }).count(), 1);
    await page.context().close();
  });
}
