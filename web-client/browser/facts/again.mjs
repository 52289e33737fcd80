// What there is to know about a task, and running it again.
import assert from 'node:assert/strict';
import { isOpen, spawnTask, startTask } from '../chromium.mjs';
import { copied } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());
  const details = page.getByRole('dialog', { name: 'Details' });
  const value = (name) => details.locator(`dt:text-is("${name}") + dd`);

  await here.fact('the details of a task can be read and copied', async () => {
    await page.goto(`${here.address}/`);
    const command = 'echo one &&\n  exit 2';
    const session = `s-again-${Date.now()}`;
    const id = await spawnTask(page, command, {
      title: 'a title that hides the command',
      label: 'pr-42',
      origin_session_id: session,
      args: { command, env: { TOKEN: 'secret', PATH_TO: 'x' } },
    });
    await page.goto(`${here.address}/#/tasks/${id}`);
    await page.locator('.end', { hasText: 'Failed with exit code 2' }).waitFor();
    await isOpen(page);
    assert.equal(await page.locator('.command').innerText(), 'echo one && ⏎ exit 2');
    assert.equal(await copied(page, () => page.getByRole('button', { name: 'Copy the command' }).click()), command);
    await page.keyboard.press('d');
    assert.equal(await value('Command').locator('pre').innerText(), command);
    await value('Environment').getByText('TOKEN, PATH_TO (values are not recorded)').waitFor();
    await value('Session').getByRole('link', { name: session }).waitFor();
    await value('Task ID').getByText(id).waitFor();
    await value('Policy').getByText(/allow/).waitFor();
    await value('Result').getByText('Failed with exit code 2').waitFor();
    for (const name of ['Folder', 'Requested', 'Started', 'Ended', 'Ran for', 'Output']) await value(name).waitFor();
    assert.equal(await copied(page, () => value('Task ID').getByRole('button', { name: 'Copy' }).click()), id);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
  });

  await here.fact('a task whose environment is not recorded is edited before it runs again', async () => {
    await page.getByRole('button', { name: 'Run again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start a task' });
    await dialog.getByText('The values of TOKEN, PATH_TO are not recorded').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  await here.fact('an ended task is run again, or changed and run', async () => {
    await startTask(page, 'echo first; exit 3', 'pipes', 'again', '16 MiB', 'pr-42');
    await page.locator('.end', { hasText: 'Failed with exit code 3' }).waitFor();
    const first = page.url();
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.waitForURL((url) => url.href !== first && /#\/tasks\//.test(url.href));
    await isOpen(page);
    await page.locator('.end', { hasText: 'Failed with exit code 3' }).waitFor();
    await page.locator('.line', { hasText: 'first' }).waitFor();
    const second = page.url();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: 'Start a task' });
    assert.equal(await dialog.getByLabel('Command').inputValue(), 'echo first; exit 3');
    assert.equal(await dialog.getByLabel('Title').inputValue(), 'again');
    assert.equal(await dialog.getByLabel('Label').inputValue(), 'pr-42');
    assert.equal(await dialog.getByLabel('Output limit').inputValue(), String(16 * 1024 * 1024));
    assert.ok(await dialog.getByLabel('Background').isChecked());
    await dialog.getByLabel('Command').fill('echo mended');
    await dialog.getByLabel('Command').press('Enter');
    await page.waitForURL((url) => url.href !== second);
    await isOpen(page);
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await page.locator('.line', { hasText: 'mended' }).waitFor();
  });

  await here.fact('the dialog that starts a task offers the last commands', async () => {
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'Start a task' });
    await dialog.getByRole('button', { name: 'echo mended' }).click();
    assert.equal(await dialog.getByLabel('Command').inputValue(), 'echo mended');
    assert.equal(await dialog.getByLabel('Title').isVisible(), false); // folded
    await page.keyboard.press('Escape');
    await page.context().close();
  });
}
