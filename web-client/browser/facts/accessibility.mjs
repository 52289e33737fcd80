// For users who cannot see colours, or the page, and for users without a mouse.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { spawnTask, startAgent, startTask, stopTask } from '../chromium.mjs';
import { isLive, shows } from '../ground.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations that axe finds in a page, a line for each element. */
async function complaintsOf(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${impact} ${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  for (const colorScheme of ['light', 'dark']) {
    await here.fact(`axe finds nothing wrong in any view, ${colorScheme}`, async () => {
      const page = await here.pageOf(await here.signedIn({ colorScheme, reducedMotion: 'reduce' }));
      const wrong = [];
      const look = async (view) => wrong.push(...(await complaintsOf(page)).map((each) => `${view}: ${each}`));
      await page.goto(`${here.address}/`);
      await page.locator('.rows li').first().waitFor();
      await look('list');
      await page.keyboard.press('n');
      await look('start');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('?');
      await look('keys');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.getByRole('option').nth(7).waitFor();
      await look('palette');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await startTask(page, String.raw`printf '\033[31mred\033[0m \033[2mdim\033[0m\n'; cat`, 'pty', 'for axe');
      await isLive(page);
      await shows(page, 'red');
      await look('terminal');
      await page.locator('.size').click();
      await page.getByRole('dialog', { name: 'Viewers' }).waitFor();
      await look('company');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Search' }).click();
      await look('search');
      await page.getByRole('link', { name: 'Timeline' }).click();
      await page.locator('.timeline li').nth(2).waitFor();
      await look('timeline');
      await page.getByRole('link', { name: 'Files' }).click();
      await page.locator('.files li').first().waitFor();
      await look('files');
      await page.getByRole('link', { name: 'Replay' }).click();
      await page.getByLabel('Position in the record').waitFor();
      await look('replay');
      await stopTask(page);
      await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
      await look('end');
      await startTask(
        page,
        String.raw`for i in 1 2 3 4 5 6 7; do printf '\033[3%dmcolour\033[0m \033[9%dmcolour\033[0m \033[2mdim\033[0m\n' $i $i; done; echo err >&2; exit 2`,
        'pipes',
        'colours',
      );
      await page.locator('.end', { hasText: 'Failed with exit code 2' }).waitFor();
      await page.locator('.line[data-channel=stderr]').waitFor();
      await look('log');
      const session = `s-axe-${Date.now()}`;
      const watched = await spawnTask(page, 'seq 300; echo error: one; sleep 600', {
        origin_session_id: session,
        watch: [{ regex: 'error: .*', event: 'failed' }],
      });
      await spawnTask(page, 'exit 3', { origin_session_id: session, label: 'short' });
      await page.goto(`${here.address}/#/tasks/${watched}`);
      await page.locator('.hit-steps', { hasText: '1 hit' }).waitFor();
      await page.keyboard.press('h');
      await page.locator('.line.marked').waitFor();
      await look('log with hits');
      await page.getByRole('link', { name: 'Watchers' }).click();
      const form = page.getByRole('form', { name: 'Add a watcher' });
      await form.getByLabel('Pattern').fill('(');
      await form.getByLabel('Name of a hit').fill('broken');
      await form.getByRole('button', { name: 'Add watcher' }).click();
      await form.getByText('Missing closing').waitFor();
      await look('watchers');
      await page.goto(`${here.address}/#/sessions`);
      await page.locator('.rows li', { hasText: session }).waitFor();
      await look('sessions');
      await page.goto(`${here.address}/#/sessions/${session}`);
      await page.locator('.rows li').nth(1).waitFor();
      await look('session');
      await page.goto(`${here.address}/#/sessions/${session}/mailbox`);
      await page.locator('.items li').nth(1).waitFor();
      await look('mailbox');
      await page.goto(`${here.address}/#/sessions/${session}/timeline`);
      await page.locator('.timeline li').nth(2).waitFor();
      await look('session timeline');
      const agent = await startAgent(page, session, 'agent', '/plan one; two\n/think hm\n/tool look it up\n/usage 1 2 0.5\n/say ```\n/say code\n/say ```\n/say text\n/sleep 120000');
      await startAgent(page, session, 'child', '/say hi', { parent_task_id: agent });
      await page.goto(`${here.address}/#/tasks/${agent}`);
      await page.locator('.relatives a', { hasText: 'child' }).waitFor();
      await page.locator('.said pre').waitFor();
      await page.locator('.thought summary').click();
      await page.locator('.call summary').last().click();
      await look('conversation');
      await stopTask(page);
      await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
      await look('ended conversation');
      await page.goto(`${here.address}/#/tasks/${watched}`);
      await stopTask(page);
      await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
      await page.goto(`${here.address}/#/server`);
      await page.locator('.facts dd').first().waitFor();
      await look('server');
      await page.goto(`${here.address}/#/tasks/nobody`);
      await page.getByText('There is no such task').waitFor();
      await look('no task');
      await page.goto(`${here.address}/docs`);
      await page.locator('details.operation').first().waitFor();
      await page.locator('details.operation summary').first().click();
      await look('docs');
      await page.context().close();
      const stranger = await here.pageOf(await here.person({ colorScheme }));
      await stranger.goto(here.address);
      await stranger.getByText('Welcome to Penstock').waitFor();
      wrong.push(...(await complaintsOf(stranger)).map((each) => `sign-in: ${each}`));
      await stranger.context().close();
      assert.equal(wrong.join('\n'), '');
    });
  }

  await here.fact('a task is started, typed into, left and stopped without a mouse', async () => {
    const page = await here.pageOf(await here.signedIn());
    await page.goto(`${here.address}/`);
    await page.locator('.rows li').first().waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('cat');
    await page.keyboard.press('Tab');
    if (!(await page.getByLabel('Terminal – interactive').isChecked())) await page.keyboard.press('ArrowUp'); // the last used one
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter'); // unfolds the options
    await page.keyboard.press('Tab');
    await page.keyboard.type('by keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'by keyboard' }).waitFor();
    await isLive(page);
    await page.keyboard.type('hands on keys\n');
    await shows(page, 'hands on keys', 2);
    await page.keyboard.press('Control+Shift+e');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Keys');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Timeline' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.timeline li').first().waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Timeline'); // where the focus was before
    await page.locator('.stop').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: /^Stop/ }).getByRole('button', { name: 'Stop', exact: true }).press('Enter');
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await page.keyboard.press('g');
    await page.locator('.rows li').first().waitFor();
    await page.context().close();
  });
}
