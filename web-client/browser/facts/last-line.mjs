// The last output line in the list of tasks.
import { startTask } from '../chromium.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());

  await here.fact('the list shows the last line of stderr of a failed task', async () => {
    await page.goto(`${here.address}/`);
    const gate = await here.gate();
    await startTask(page, `echo compiling; ${gate.waits}; echo 'main.c:12: error: expected ;' >&2; exit 2`, 'pipes', 'make all');
    await page.locator('.line', { hasText: 'compiling' }).waitFor();
    await gate.open();
    await page.locator('.end', { hasText: 'Failed with exit code 2' }).waitFor();
    await page.goto(`${here.address}/#/tasks`);
    await page.locator('.rows li', { hasText: 'make all' }).locator('.last', { hasText: 'main.c:12: error' }).waitFor();
  });

  await here.fact('the list shows the channel that was written last', async () => {
    await page.goto(`${here.address}/`);
    const gate = await here.gate();
    await startTask(page, `echo begun; ${gate.waits}; echo on stderr >&2; ${gate.waits}; echo on stdout`, 'pipes', 'in turns');
    await page.goto(`${here.address}/#/tasks`);
    const last = page.locator('.rows li', { hasText: 'in turns' }).locator('.last');
    for (const words of ['begun', 'on stderr', 'on stdout']) {
      await last.filter({ hasText: words }).waitFor();
      await gate.open();
    }
    await page.context().close();
  });
}
