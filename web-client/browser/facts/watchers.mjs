// Watchers of a task, and the marks of their hits.
import assert from 'node:assert/strict';
import { isOpen, spawnTask, stopTask } from '../chromium.mjs';
import { isComplete, isLive, isSettled, longestTask, shows } from '../ground.mjs';

/** The colours of a canvas: how many of its pixels are drawn. */
const drawnPixels = (canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((_, i) => i % 4 === 3 && data[i] > 0).length;
};

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const { page } = here;
  const session = `s-${Date.now()}`;
  const view = (name) => page.getByLabel('Views of the task').getByRole('link', { name, exact: true });
  const steps = page.locator('.hit-steps');
  const marked = page.locator('.line.marked');
  const isMarked = (strip) => page.waitForFunction((canvas) => canvas.width > 0 && canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((each) => each > 0), strip);
  const at = async (task, tab = '') => {
    await page.goto(`${here.address}/#/tasks/${task}${tab}`);
    await isOpen(page);
  };
  const watch = (regex, event, fields = {}) => ({ regex, event, ...fields });

  await here.fact('a watcher is added to a running task, and finds what was written before', async () => {
    const gate = await here.gate();
    const task = await spawnTask(page, `echo one error; ${gate.waits}; echo two error; sleep 600`, { title: 'watched' });
    await at(task, '/watchers');
    await page.getByText('A watcher searches the output for a pattern').waitFor();
    const form = page.getByRole('form', { name: 'Add a watcher' });
    await form.getByLabel('Pattern').fill('\\w+ error');
    await form.getByLabel('Name of a hit').fill('failed');
    await form.getByLabel('Name of a hit').press('Enter');
    const card = page.getByRole('list', { name: 'Watchers' }).locator('li', { hasText: 'failed' });
    await card.getByRole('button', { name: '1 hit', exact: true }).waitFor();
    await page.getByRole('list', { name: 'Hits' }).getByText('one error').waitFor();
    await gate.open();
    await card.getByRole('button', { name: '2 hits' }).waitFor();
    await page.getByRole('list', { name: 'Hits' }).getByRole('link', { name: 'two error' }).click();
    await marked.getByText('two error').waitFor();
  });

  await here.fact('what the server refuses is said at the field', async () => {
    await view('Watchers').click();
    const form = page.getByRole('form', { name: 'Add a watcher' });
    const pattern = form.getByLabel('Pattern');
    await pattern.fill('(');
    await form.getByLabel('Name of a hit').fill('broken');
    await form.getByRole('button', { name: 'Add watcher' }).click();
    await form.getByText('Missing closing ): `(`').waitFor();
    assert.equal(await pattern.getAttribute('aria-invalid'), 'true');
    assert.ok(await pattern.evaluate((field) => field === document.activeElement));
    assert.equal(await pattern.evaluate((field) => document.getElementById(field.getAttribute('aria-describedby')).textContent), 'Missing closing ): `(`');
    await pattern.fill('(two)');
    await form.getByText('Missing closing').waitFor({ state: 'detached' });
    await form.getByLabel('Name of a hit').fill(' ');
    await form.getByRole('button', { name: 'Add watcher' }).click();
    await form.getByText('It is empty').waitFor();
    await form.getByLabel('Name of a hit').fill('second');
    await form.getByLabel('Only the first hit').check();
    await form.getByRole('combobox', { name: 'Output' }).selectOption('stdout');
    await form.getByRole('button', { name: 'Add watcher' }).click();
    const card = page.getByRole('list', { name: 'Watchers' }).locator('li', { hasText: 'second' });
    await card.getByText('stdout · only the first hit').waitFor();
    await card.getByRole('button', { name: '1 hit', exact: true }).click();
    await page.locator('.watchers-view [role=status]', { hasText: /^1 hit$/ }).waitFor(); // only that watcher's
    assert.deepEqual(await page.getByRole('list', { name: 'Hits' }).locator('code').allInnerTexts(), ['two']);
    await stopTask(page);
    await form.waitFor({ state: 'hidden' });
  });

  await here.fact('hits are marked beside a log, and each mark leads to its line', async () => {
    const command = 'for i in $(seq 1000); do echo "line $i"; [ $((i % 250)) = 0 ] && echo "bad $i" >&2; done; true';
    const task = await spawnTask(page, command, { title: 'marked', watch: [watch('bad \\d+', 'bad'), watch('line 42$', 'answer')] });
    await at(task);
    await isComplete(page);
    await steps.getByText('5 hits').waitFor();
    const strip = page.locator('.strip.vertical');
    await isMarked(await strip.elementHandle());
    await page.keyboard.press('h');
    await steps.getByText('hit 1 of 5').waitFor();
    await marked.waitFor();
    const first = await marked.innerText();
    await steps.getByRole('button', { name: 'Next hit' }).click();
    await steps.getByText('hit 2 of 5').waitFor();
    await marked.filter({ hasNotText: first }).waitFor();
    await page.keyboard.press('Shift+H');
    await marked.getByText(first.split('\n').at(-1)).waitFor();

    // A mark of one channel lies where its line does.
    await page.getByRole('button', { name: 'stdout', exact: true }).click();
    await page.locator('.log[aria-busy=false]').waitFor();
    await isMarked(await strip.elementHandle());
    const box = await strip.boundingBox();
    await page.getByRole('log').press('End');
    await strip.click({ position: { x: 6, y: Math.round((41.5 / 1000) * box.height) } });
    await marked.getByText('line 42', { exact: true }).waitFor();

    // The address leads back to the line.
    await page.waitForURL(/\/output\?seq=\d+$/);
    const other = await here.pageOf(here.context);
    await other.goto(page.url());
    await other.locator('.line.marked', { hasText: 'line 42' }).waitFor();
    await other.locator('.hit-steps', { hasText: /hit \d of 5/ }).waitFor();
    await other.close();
  });

  await here.fact('hits are marked along the timeline, and lead to their frames', async () => {
    await view('Timeline').click();
    await steps.getByText('5 hits').waitFor();
    await isMarked(await page.locator('.strip.horizontal').elementHandle());
    await page.keyboard.press('h');
    await page.locator('.timeline li.marked[data-kind=hit]').waitFor();
    await page.locator('.timeline li.marked').getByRole('link', { name: '“' }).click();
    await marked.waitFor();
  });

  await here.fact('hits are marked on the scrollbar of a terminal and on the slider of its replay', async () => {
    const command = 'for i in $(seq 60); do echo "step $i"; [ $((i % 20)) = 0 ] && echo "warning $i"; sleep 0.01; done; cat';
    const task = await spawnTask(page, command, { title: 'in a terminal', execution_mode: 'pty', watch: [watch('warning \\d+', 'warning')] });
    await at(task);
    await isLive(page);
    await shows(page, 'step 60');
    await isSettled(page);
    await steps.getByText('3 hits').waitFor();
    await page.waitForFunction(() => document.querySelector('canvas.xterm-decoration-overview-ruler') !== null);
    await isMarked(await page.locator('canvas.xterm-decoration-overview-ruler').elementHandle());
    assert.equal(await page.locator('.screen canvas.xterm-decoration-overview-ruler').evaluate(drawnPixels) > 0, true);
    await page.locator('.screen').click();
    await page.keyboard.type('hH'); // belong to the program
    await shows(page, 'hH');
    await steps.getByRole('button', { name: 'Next hit' }).click();
    await page.waitForURL(/\/replay\?seq=\d+$/);
    await shows(page, 'warning 20');
    await isMarked(await page.locator('.slider .strip').elementHandle());
    await steps.getByText('hit 1 of 3').waitFor();
    await page.keyboard.press('h');
    await shows(page, 'warning 40');
    await steps.getByText('hit 2 of 3').waitFor();
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
  });

  await here.fact('a mailbox item of a hit leads to the line', async () => {
    const task = await spawnTask(page, 'seq 500; echo found it; seq 500', {
      title: 'with a mailbox',
      origin_session_id: session,
      watch: [watch('found it', 'found')],
    });
    await page.goto(`${here.address}/#/sessions/${session}/mailbox`);
    const item = page.locator('.items li', { hasText: 'found it' });
    await item.getByText(`task ${task.slice(0, 8)}`).waitFor();
    await item.locator('a.row').click();
    await marked.getByText('found it').waitFor();
    await page.getByRole('link', { name: `Session ${session}` }).click();
    await page.getByRole('heading', { name: session }).waitFor();
  });

  await here.fact('ten thousand hits cost few elements', async () => {
    const task = await spawnTask(page, 'seq 1 10000 | sed "s/$/ hit/"; seq 1 20000', { title: 'many', watch: [watch('hit', 'hit')] });
    await at(task);
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor({ timeout: 60_000 });
    await page.goto(`${here.address}/#/tasks`);
    await page.locator('.rows li').first().waitFor();
    const { most } = await longestTask(page, async () => {
      await at(task);
      await steps.getByText('10000 hits').waitFor();
      await isComplete(page);
      await isMarked(await page.locator('.strip.vertical').elementHandle());
      await page.keyboard.press('Shift+H');
      await marked.getByText('10000 hit').waitFor();
    });
    here.note(`the longest pause with 10,000 hits was ${most} ms`);
    await view('Watchers').click();
    await page.getByText('The newest 100 of 10000 hits').waitFor();
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(elements < 2_000, `${elements} elements`);
  });
}
