// The bytes that a page loads: its files, fonts included, and what it asks of the server.
import assert from 'node:assert/strict';
import { linkOf, startTask } from '../chromium.mjs';
import { shows } from '../ground.mjs';

const SIGN_IN_BYTES = 120_000;
const TERMINAL_BYTES = 260_000;
const LIST_BYTES = 60_000; // beyond the files, which a browser keeps

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  /** Counts what comes to a page, by whether it is one of its files. */
  const weighed = async (context) => {
    const page = await here.pageOf(context);
    const came = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname === '/tasks/changes') return; // does not end
      const isFile = /^\/($|assets\/|theme\.js)/.test(pathname);
      came.push(
        response.request().sizes().then(({ responseBodySize: bytes }) => {
          if (isFile && !pathname.endsWith('.woff2')) assert.equal(response.headers()['content-encoding'], 'gzip', pathname);
          return { isFile, bytes };
        }),
      );
    });
    const sum = async (wanted) => (await Promise.all(came)).filter(wanted).reduce((all, { bytes }) => all + bytes, 0);
    return { page, came, files: () => sum(({ isFile }) => isFile), rest: () => sum(({ isFile }) => !isFile) };
  };

  await here.fact('the sign-in page is light, with its fonts', async () => {
    const { page, files } = await weighed(await here.person());
    await page.goto(here.address);
    await page.locator('.sign-in').waitFor();
    await page.evaluate(() => document.fonts.ready);
    const bytes = await files();
    here.note(`${bytes} bytes came`);
    assert.ok(bytes > 10_000 && bytes <= SIGN_IN_BYTES, `${bytes} bytes came`);
    await page.context().close();
  });

  await here.fact('a list of fifty rows takes few requests and bytes', async () => {
    // A list whose tasks run on requests more.
    await here.page.evaluate(async () => {
      const headers = { 'content-type': 'application/json' };
      const body = (i) => JSON.stringify({ tool: 'exec', title: `one of fifty, number ${i}`, label: 'fifty', args: { argv: ['echo', `line ${i}`] } });
      const ends = async (i) => {
        const { task_id: id } = await (await fetch('/tasks', { method: 'POST', headers, body: body(i) })).json();
        while ((await (await fetch(`/tasks/${id}?wait=20000`)).json()).ended_at_ms === null);
      };
      for (let i = 0; i < 50; i += 10) await Promise.all(Array.from({ length: 10 }, (_, j) => ends(i + j)));
    });
    const { page, came, rest } = await weighed(await here.signedIn());
    await page.goto(`${here.address}/#/tasks?label=fifty`);
    await page.locator('.rows li').nth(49).locator('.last', { hasText: 'line' }).waitFor();
    await page.getByRole('button', { name: 'Succeeded' }).getByText('50').waitFor();
    const bytes = await rest();
    const requests = (await Promise.all(came)).filter(({ isFile }) => !isFile).length;
    here.note(`${bytes} bytes came in ${requests} answers`);
    assert.ok(bytes <= LIST_BYTES, `${bytes} bytes came`);
    assert.ok(requests <= 8, `${requests} requests`);
    await page.context().close();
  });

  await here.fact('the first load of a terminal is small', async () => {
    await startTask(here.page, 'echo here it is', 'pty', 'to be loaded');
    await shows(here.page, 'here it is');
    const { page, files } = await weighed(await here.person());
    await page.goto(linkOf(here.address, here.tokenFile));
    await page.getByLabel('Search tasks').fill('to be loaded');
    await page.locator('.rows a', { hasText: 'to be loaded' }).first().click();
    await shows(page, 'here it is'); // so xterm.js is loaded too
    const bytes = await files();
    here.note(`${bytes} bytes came`);
    assert.ok(bytes > 10_000 && bytes <= TERMINAL_BYTES, `${bytes} bytes came`);
  });
}
