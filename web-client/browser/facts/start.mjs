// The dialog that starts a task.
import assert from 'node:assert/strict';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());
  const dialog = page.getByRole('dialog', { name: 'Start a task' });

  await here.fact('what is wrong with a field is said with its name, and no longer than until it is mended', async () => {
    await page.goto(`${here.address}/`);
    await page.keyboard.press('n');
    await dialog.getByLabel('Command').fill('true');
    await dialog.getByLabel('Folder').fill('nowhere');
    await dialog.getByLabel('Folder').press('Enter');
    await dialog.getByText('The folder "nowhere" is not a directory in the workspace').waitFor();
    await dialog.getByLabel('Folder').press('Backspace');
    assert.equal(await dialog.locator('.complaint').innerText(), '');
    await dialog.getByLabel('Folder').fill('');
  });

  await here.fact('a task is stopped after an hour, unless another time is chosen', async () => {
    const asked = async () => {
      const [request] = await Promise.all([
        page.waitForRequest((each) => each.method() === 'POST' && each.url().endsWith('/tasks')),
        dialog.getByLabel('Command').press('Enter'),
      ]);
      await dialog.waitFor({ state: 'detached' });
      return request.postDataJSON().timeout_secs;
    };
    assert.match(await dialog.getByLabel('Stops after').locator('option:checked').innerText(), /^1 hour, the default$/);
    assert.equal(await asked(), 3600);
    await page.locator('.end', { hasText: 'Ended well' }).waitFor();
    await page.goto(`${here.address}/#/tasks`);
    await page.locator('.rows li').first().waitFor();
    await page.keyboard.press('n');
    await dialog.getByLabel('Command').fill('true');
    await dialog.getByLabel('Stops after').selectOption('24 hours');
    assert.equal(await asked(), 86400);
    await page.locator('.end', { hasText: 'Ended well' }).waitFor();
    await page.context().close();
  });
}
