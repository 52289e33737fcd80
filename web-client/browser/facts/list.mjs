// The list of tasks, and its filters.
import assert from 'node:assert/strict';
import { isOpen, openOptions, startTask, stopTask } from '../chromium.mjs';
import { drawn, isComplete, longestTask, scrolls } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const { page } = here;

  await here.fact('the list finds tasks by their titles, with the keyboard', async () => {
    for (const title of ['a parrot', 'an abacus', 'a third']) {
      await startTask(page, 'true', 'pipes', title);
      await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    }
    await page.keyboard.press('g');
    await page.locator('.rows li').nth(2).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('A PARROT');
    await page.locator('.rows li').nth(1).waitFor({ state: 'detached' });
    await page.getByLabel('Search tasks').blur();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'a parrot' }).waitFor();
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await isComplete(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('abacus');
    await page.getByRole('option', { name: 'an abacus' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'an abacus' }).waitFor();
    await isOpen(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    assert.equal(await page.getByRole('dialog', { name: 'Keys' }).evaluate((dialog) => dialog.scrollTop), 0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
  });

  await here.fact('the list shows the last line and the running time of each task, live', async () => {
    await startTask(page, 'for i in 1 2 3 4 5 6; do echo "at work $i"; sleep 0.5; done; sleep 600', 'pipes', 'works');
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
    await row.locator('a.row').click();
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
  });

  await here.fact('a task is found by its label, in an address that can be shared', async () => {
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'Start a task' });
    await dialog.getByLabel('Command').fill('echo looked at it; sleep 600');
    await dialog.getByLabel('Background').check();
    await openOptions(dialog);
    await dialog.getByLabel('Title').fill('Review');
    await dialog.getByLabel('Label').fill('ä');
    await dialog.getByLabel('Label').press('Enter');
    assert.ok(await dialog.getByLabel('Label').evaluate((field) => !field.validity.valid)); // and it is still open
    await dialog.getByLabel('Label').fill('code review 42');
    await dialog.getByLabel('Label').press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.line', { hasText: 'looked at it' }).waitFor();
    await page.locator('.task-head').getByRole('link', { name: 'code-review-42' }).click();
    await page.waitForURL(/#\/tasks\?label=code-review-42$/);
    const row = page.locator('.rows li', { hasText: 'Review' });
    await row.locator('.last', { hasText: 'looked at it' }).waitFor();
    assert.equal(await row.locator('.label').innerText(), 'code-review-42');
    assert.equal(await page.locator('.rows li').count(), 1);
    assert.equal(await page.getByLabel('Search tasks').inputValue(), 'label:code-review-42');

    // While the list is open, a new task appears only if it matches the filter.
    const spawn = (body) =>
      page.evaluate(
        async (task) =>
          (
            await fetch('/tasks', {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ tool: 'bash', args: { command: 'true' }, ...task }),
            })
          ).status,
        body,
      );
    assert.equal(await spawn({ title: 'another' }), 201);
    assert.equal(await spawn({ title: 'again', label: 'code-review-42', origin_session_id: 'agent-7' }), 201);
    await page.locator('.rows li', { hasText: 'again' }).waitFor();
    assert.equal(await page.locator('.rows li').count(), 2);
    const chip = (name) => page.getByRole('group', { name: 'States' }).getByRole('button', { name });
    await chip('Running').click();
    await page.locator('.rows li', { hasText: 'again' }).waitFor({ state: 'detached' });
    const search = page.getByLabel('Search tasks');
    assert.equal(await search.inputValue(), 'status:running label:code-review-42');
    await search.fill('status:running label:code-review-42 session:agent-7');
    await page.getByText('No running tasks of the session “agent-7” labelled “code-review-42”.').waitFor();
    await chip('All').click();
    await page.locator('.rows li', { hasText: 'again' }).waitFor();
    await page.waitForURL(/#\/tasks\?session=agent-7&label=code-review-42$/);

    // The name of a session next to its tasks links to all of them.
    await page.goto(`${here.address}/#/tasks`);
    await page.locator('.rows li', { hasText: 'works' }).first().waitFor();
    const session = page.getByRole('link', { name: 'Session agent-7' });
    await session.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/tasks\?session=agent-7$/);
    await page.locator('.rows li', { hasText: 'works' }).first().waitFor({ state: 'detached' });
    assert.equal(await page.locator('.rows li').count(), 1);
    assert.equal(await search.inputValue(), 'session:agent-7');
    await page.goBack();
    await page.goBack();
    await page.locator('.rows li', { hasText: 'again' }).waitFor();

    const other = await here.pageOf(here.context);
    await other.goto(page.url());
    await other.locator('.rows li', { hasText: 'again' }).waitFor();
    assert.equal(await other.locator('.rows li').count(), 1);
    await other.getByLabel('Search tasks').fill('label:"two words"');
    await other.getByText('label cannot be one').waitFor();
    await other.getByRole('button', { name: 'Clear' }).click();
    await other.locator('.rows li').nth(2).waitFor();
    await other.waitForURL(/#\/tasks$/);
    await other.close();

    // With the keyboard alone: filter, and show all again.
    await search.blur();
    await page.keyboard.press('g');
    await page.locator('.rows li').nth(2).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('REVIEW-42');
    await page.waitForURL(/\?text=REVIEW-42$/); // a search begins after a pause of typing, which may come earlier
    await page.locator('.rows li').nth(2).waitFor({ state: 'detached' });
    assert.equal(await page.locator('.rows li').count(), 2);
    await page.goBack(); // to the filter used before
    await page.locator('.rows li').nth(1).waitFor({ state: 'detached' });
    assert.equal(await search.inputValue(), 'session:agent-7 label:code-review-42');
    await page.goBack();
    await page.getByRole('heading', { name: 'Review' }).waitFor();
    await page.goForward();
    await page.goForward();
    await page.locator('.rows li').nth(1).waitFor();
    assert.equal(await page.getByLabel('Search tasks').inputValue(), 'REVIEW-42');
    await page.getByRole('link', { name: 'Running Review' }).click();
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
  });

  await here.fact('a long list is scrolled to its end, and keeps only rows near the view', async () => {
    await page.evaluate(async () => {
      for (let i = 0; i < 260; i += 20) {
        const body = (n) => ({ tool: 'exec', title: `one of many ${n}`, label: 'many', args: { argv: ['true'] } });
        await Promise.all(
          Array.from({ length: 20 }, (_, j) =>
            fetch('/tasks', {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body(i + j)),
            }),
          ),
        );
      }
    });
    await page.goto(`${here.address}/#/tasks?label=many`);
    await page.locator('.rows li').nth(49).waitFor();
    const seen = new Set();
    const look = async () => {
      await drawn(page); // by then it knows the rows nearby
      await page.locator('.rows[aria-busy=false]').waitFor();
      for (const name of await page.locator('.rows .name').allInnerTexts()) seen.add(name);
    };
    const most = await longestTask(page, async () => {
      await look();
      while (await page.evaluate(() => scrollY + innerHeight < document.documentElement.scrollHeight - 1)) {
        await scrolls(page, 'html', () => page.mouse.wheel(0, 1500));
        await look();
      }
    });
    assert.equal(seen.size, 260);
    assert.ok((await page.locator('.rows li').count()) <= 200, 'invisible rows are kept');
    here.note(`the longest that the page did not answer: ${most.most} ms`);
    await page.keyboard.press('j');
    const name = await page.evaluate(() => document.activeElement.querySelector('.name').textContent);
    await page.keyboard.press('ArrowUp');
    assert.notEqual(await page.evaluate(() => document.activeElement.querySelector('.name').textContent), name);
    await page.keyboard.press('g');
    await page.waitForFunction(() => scrollY === 0 && document.querySelectorAll('.rows li').length === 50);
  });

  await here.fact('a task that is clicked while a search is due opens and stays open', async () => {
    await page.goto(`${here.address}/#/tasks?text=a+parrot`);
    const row = page.locator('.rows a', { hasText: 'a parrot' });
    for (let round = 0; round < 3; round++) {
      await row.hover();
      await page.mouse.down();
      // The page is busy until the search is due and the click has come, and takes the click first.
      const begins = page.waitForEvent('console');
      const busy = page.evaluate(() => {
        const field = document.querySelector('[aria-label="Search tasks"]');
        field.value = 'parrot';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        console.log('busy');
        const due = performance.now() + 400;
        while (performance.now() < due || !navigator.scheduling.isInputPending());
      });
      await begins;
      await page.mouse.up();
      await busy;
      await page.getByRole('heading', { name: 'a parrot' }).waitFor();
      await page.waitForURL(/#\/tasks\/[\w-]+$/);
      await page.goBack();
      await row.waitFor();
    }
  });

  await here.fact('an unknown task is reported', async () => {
    await page.goto(`${here.address}/#/tasks/nobody`);
    await page.getByText('There is no such task').waitFor();
  });
}
