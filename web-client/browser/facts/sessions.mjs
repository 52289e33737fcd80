// Sessions and their mailboxes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { openOptions, spawnTask } from '../chromium.mjs';
import { hears } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const { page } = here;
  const session = `s-${Date.now()}`; // not used before, also on a server that ran these facts
  const pages = `${session}-page`;
  const rowOf = (name) => page.locator('.sessions .rows li', { has: page.getByText(name, { exact: true }) });
  const items = page.locator('.items li');
  const view = (name) => page.getByLabel('Views of the session').getByRole('link', { name });
  const inSession = (name, fields = {}) => ({ origin_session_id: name, ...fields });
  const waiting = async () =>
    page.evaluate(async (id) => (await (await fetch(`/sessions/${id}`)).json()).mailbox_waiting, session);

  await here.fact('without sessions, the list says how one begins, with a command that works', async () => {
    const before = await here.pageOf(await here.signedIn());
    await before.route(/\/sessions\?/, (route) => route.fulfill({ json: [] }));
    await before.goto(`${here.address}/#/sessions`);
    await before.getByText('No sessions yet').waitFor();
    const command = await before.locator('.empty code').innerText();
    const token = readFileSync(here.tokenFile, 'utf8').trim();
    const works = command.replace('$(./penstock token)', token).replace('"work"', `"${session}-first"`);
    const { task_id: id } = JSON.parse(execFileSync('bash', ['-c', works], { encoding: 'utf8' }));
    await before.unrouteAll({ behavior: 'wait' });
    await before.locator('.sessions .rows li', { hasText: `${session}-first` }).first().waitFor();
    await before.goto(`${here.address}/#/tasks/${id}`);
    await before.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await before.context().close();
  });

  await here.fact('a session is listed with its running tasks, then with the items that wait', async () => {
    const gate = await here.gate();
    await page.goto(`${here.address}/#/sessions`);
    await spawnTask(page, `${gate.waits}; exit 3`, inSession(session, { title: 'held' }));
    const row = rowOf(session);
    await row.getByText('1 running').waitFor();
    await row.locator('.state', { hasText: 'running' }).waitFor();
    await gate.open();
    await row.getByText('1 item', { exact: true }).waitFor();
    await row.getByText('1 ended').waitFor();
    await row.locator('.state', { hasText: 'open' }).waitFor();
    await page.locator('#sessions .count:not([hidden])').waitFor(); // the head counts what waits
  });

  await here.fact('the list of sessions has pages, and its rows are reached with the keyboard', async () => {
    for (let i = 0; i < 50; i++) await spawnTask(page, 'true', inSession(`${pages}-${i}`));
    await rowOf(`${pages}-49`).waitFor();
    await page.reload();
    await page.locator('.sessions .rows li').nth(49).waitFor();
    const more = page.getByRole('button', { name: 'Show more' });
    await more.waitFor();
    assert.equal(await rowOf(session).count(), 0);
    await more.click();
    await rowOf(session).waitFor();
    await page.keyboard.press('g');
    await page.locator('.filters').waitFor();
    await page.keyboard.press('m');
    await rowOf(`${pages}-49`).waitFor();
    await page.keyboard.press('j');
    assert.match(await page.evaluate(() => document.activeElement.textContent), new RegExp(`${pages}-49`));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `${pages}-49` }).waitFor();
  });

  await here.fact('a session shows its tasks, and no others', async () => {
    await spawnTask(page, 'true', { title: 'elsewhere' });
    await page.goto(`${here.address}/#/sessions/${session}`);
    await page.locator('.rows li', { hasText: 'held' }).waitFor();
    assert.equal(await page.locator('.rows li').count(), 1);
    await page.keyboard.press('/');
    await page.keyboard.type('nothing like it');
    await page.getByText('No matching tasks').waitFor();
    await page.waitForURL(/#\/sessions\/s-\d+\?text=nothing\+like\+it$/);
    await page.reload();
    await page.getByText('No matching tasks').waitFor();
    await page.getByRole('button', { name: 'Show all tasks' }).click();
    await page.locator('.rows li', { hasText: 'held' }).waitFor();
    await page.getByLabel('Search tasks').blur();
  });

  await here.fact('a task that is started in a session belongs to it', async () => {
    await page.goto(`${here.address}/#/sessions/${session}`);
    await page.locator('.rows li', { hasText: 'held' }).waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'Start a task' });
    await dialog.getByRole('heading', { name: session }).waitFor();
    await dialog.getByLabel('Command').fill('echo mine');
    await dialog.getByLabel('Background').check();
    await openOptions(dialog);
    await dialog.getByLabel('Title').fill('mine');
    await dialog.getByLabel('Command').press('Enter');
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await page.getByRole('link', { name: `Session ${session}` }).click();
    await page.locator('.rows li', { hasText: 'mine' }).waitFor();
    assert.equal(await page.locator('.rows li').count(), 2);
  });

  await here.fact('the mailbox shows an item as its task ends, with its outcome and the way to it', async () => {
    const gate = await here.gate();
    await page.goto(`${here.address}/#/sessions/${session}/mailbox`);
    await items.nth(1).waitFor();
    await spawnTask(page, `${gate.waits}; exit 4`, inSession(session, { title: 'ends later' }));
    await gate.open();
    const item = items.filter({ hasText: 'ends later' });
    await item.locator('.state', { hasText: 'Failed (4)' }).waitFor();
    await view('Mailbox (3)').waitFor();
    await item.locator('a.row').click();
    await page.getByRole('heading', { name: 'ends later' }).waitFor();
    await page.goBack();
    await item.locator('.frame').click();
    await page.locator('.timeline li.marked', { hasText: 'ends later: Failed (4)' }).waitFor();
  });

  await here.fact('an item that one window acknowledges leaves every window', async () => {
    await page.goto(`${here.address}/#/sessions/${session}/mailbox`);
    await items.nth(2).waitFor();
    const other = await here.pageOf(await here.signedIn());
    await other.goto(page.url());
    await other.locator('.items li').nth(2).waitFor();
    await items.first().getByRole('button', { name: 'Acknowledge', exact: true }).focus();
    await page.keyboard.press('Enter');
    for (const each of [page, other]) await each.locator('.items li', { hasText: 'held' }).waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Acknowledge'); // of the next item
    await other.getByRole('button', { name: 'Acknowledge all' }).click();
    const question = other.getByRole('dialog', { name: 'Acknowledge 2 items?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await waiting(), 2);
    const heard = await hears(page, '.mailbox-head .note');
    await other.getByRole('button', { name: 'Acknowledge all' }).click();
    await question.getByRole('button', { name: 'Acknowledge all' }).click();
    await page.getByText('The mailbox is empty').waitFor();
    assert.deepEqual(await heard(), ['2 items not acknowledged', '']);
    await other.context().close();
  });

  await here.fact('the timeline of a session says what happened, and leads to its tasks', async () => {
    await page.goto(`${here.address}/#/sessions/${session}`);
    await view('Timeline').click();
    const lines = page.locator('.timeline li');
    await lines.filter({ hasText: 'Session started' }).waitFor();
    await lines.filter({ hasText: 'Task requested: held' }).waitFor();
    await lines.filter({ hasText: 'Mailbox acknowledged up to frame' }).first().waitFor();
    await lines.getByRole('link', { name: 'held: Failed (3)' }).click();
    await page.locator('.timeline li.marked', { hasText: 'Failed with exit code 3' }).waitFor();
  });

  await here.fact('a session is ended after a question, and its next task starts it again', async () => {
    await page.goto(`${here.address}/#/sessions/${session}`);
    const end = page.getByRole('button', { name: 'End session' });
    const question = page.getByRole('dialog', { name: `End the session “${session}”?` });
    await end.click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await end.click();
    await question.getByRole('button', { name: 'End session' }).click();
    await page.locator('.task-head .state', { hasText: 'ended' }).waitFor();
    await end.waitFor({ state: 'hidden' });
    await spawnTask(page, 'true', inSession(session));
    await end.waitFor();
  });

  await here.fact('an address of a session that does not exist says so', async () => {
    await page.goto(`${here.address}/#/sessions/nobody`);
    await page.getByRole('heading', { name: 'There is no such session' }).waitFor();
    await page.getByRole('link', { name: 'All sessions' }).click();
    await page.locator('.sessions .rows li').first().waitFor();
  });

  await here.fact('a session that the server cannot be reached for comes back with the server', async () => {
    const other = await here.pageOf(await here.signedIn());
    await other.route((url) => url.pathname.startsWith(`/sessions/${session}`), (route) => route.abort());
    await other.goto(`${here.address}/#/sessions/${session}/mailbox`);
    await other.getByRole('alert').getByText('Cannot reach the server').waitFor();
    await other.unrouteAll({ behavior: 'wait' });
    await other.locator('.items li').first().waitFor();
    await other.getByText('Cannot reach the server').waitFor({ state: 'hidden' });
    await other.context().close();
  });
}
