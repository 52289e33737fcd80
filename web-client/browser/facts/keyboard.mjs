// Where keys go next to a live terminal, and what happens to text that was typed for a terminal.
import assert from 'node:assert/strict';
import { startTask, stopTask } from '../chromium.mjs';
import { isLive, shows, typesQuickly } from '../ground.mjs';

const SENTENCE = 'git clean -fdx; echo x'; // contains g, n and a blank, each of which is a shortcut of a page

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());
  const started = [];
  page.on('request', (each) => each.method() === 'POST' && each.url().endsWith('/tasks') && started.push(each.postData()));
  const hasKeyboard = () =>
    page.waitForFunction(() => document.activeElement?.classList.contains('xterm-helper-textarea'));
  const lines = (words) => `line: ${words}`;

  await here.fact('letters typed without focus go to the live terminal', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, 'stty -echo; echo ready; while read -r line; do echo "line: $line"; done', 'pty', 'keyboard');
    await isLive(page);
    await shows(page, 'ready');
    started.length = 0;
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.type(`${SENTENCE}\n`);
    await shows(page, lines(SENTENCE));
    await page.keyboard.type('again\n');
    await shows(page, lines('again'));
    assert.deepEqual(started, []);
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  await here.fact('a click on the header leaves the focus in the live terminal', async () => {
    await page.locator('.task-head .connection').click();
    await hasKeyboard();
    await page.locator('.task-head').click({ position: { x: 3, y: 3 } });
    await hasKeyboard();
    await page.keyboard.type(`${SENTENCE} head\n`);
    await shows(page, lines(`${SENTENCE} head`));
    assert.deepEqual(started, []);
  });

  await here.fact('Escape from a panel or a dialog focuses the live terminal', async () => {
    await page.locator('.size').click();
    await page.getByRole('dialog', { name: 'Viewers' }).waitFor();
    await page.keyboard.press('Escape');
    await hasKeyboard();
    await page.locator('.stop').click();
    await page.getByRole('dialog', { name: /^Stop/ }).waitFor();
    await page.keyboard.press('Escape');
    await hasKeyboard();
    await page.keyboard.press('Control+Shift+k');
    await page.getByRole('dialog', { name: 'Palette' }).waitFor();
    await page.keyboard.press('Escape');
    await hasKeyboard();
    await page.keyboard.type(`${SENTENCE} panel\n`);
    await shows(page, lines(`${SENTENCE} panel`));
  });

  await here.fact('with a focused button, letters go to the live terminal, Enter and Space to the button', async () => {
    await page.locator('.size').focus();
    await page.keyboard.press(' ');
    await page.getByRole('dialog', { name: 'Viewers' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.size').focus();
    await page.keyboard.type('n past a button\n');
    await shows(page, lines('n past a button'));
    assert.deepEqual(started, []);
  });

  await here.fact('letters typed before the terminal has loaded are no shortcuts', async () => {
    let goOn = () => {};
    const held = new Promise((resolve) => (goOn = resolve));
    await page.route(/\/assets\/view-.*\.js/, async (route) => {
      await held;
      await route.continue();
    });
    await Promise.all([page.waitForRequest(/\/assets\/view-.*\.js/), page.reload()]);
    await page.keyboard.type(SENTENCE);
    assert.match(page.url(), /#\/tasks\/[\w-]+$/);
    assert.equal(await page.getByRole('dialog').count(), 0);
    goOn();
    await isLive(page);
    await page.unroute(/\/assets\/view-.*\.js/);
    await page.keyboard.type('n after it\n');
    await shows(page, lines('n after it'));
    assert.deepEqual(started, []);
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
  });

  await here.fact('letters are shortcuts again when the terminal has ended', async () => {
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'Start a task' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('2');
    await page.waitForURL(/\/replay$/);
  });

  await here.fact('text that opens the dialog is not run by its own Enter', async () => {
    await page.goto(`${here.address}/#/tasks`);
    await page.locator('.rows li').first().waitFor();
    await typesQuickly(page, `${SENTENCE}\n`);
    const dialog = page.getByRole('dialog', { name: 'Start a task' });
    await dialog.getByText('Press Enter again to run it').waitFor();
    assert.equal(await dialog.getByLabel('Command').inputValue(), ' -fdx; echo x');
    assert.deepEqual(started, []);
    await dialog.getByLabel('Command').fill('true');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(started.length, 1);
    await page.context().close();
  });
}
