// Logs of background tasks.
import assert from 'node:assert/strict';
import { startTask } from '../chromium.mjs';
import { drawn, ends, isComplete, longestTask, scrolls } from '../ground.mjs';

const LONG_MS = 1000; // the server and other programs use the same two cores; the figures are printed

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const { page } = here;

  await here.fact('a log marks its channels, in colour', async () => {
    await startTask(page, "echo out; echo err >&2; printf '\\033[31mred\\033[0m\\n'; exit 3", 'pipes');
    await page.locator('.line[data-channel=stderr]', { hasText: 'err' }).waitFor();
    await page.locator('.line[data-channel=stdout] .text span', { hasText: 'red' }).waitFor();
    await page.locator('.end', { hasText: 'Failed with exit code 3' }).waitFor();
  });

  await here.fact('a channel that is viewed while it grows is complete at its end', async () => {
    const gate = await here.gate();
    await startTask(page, `printf begun; ${gate.waits}; echo ' and ended'; seq 1 50; echo all of it`, 'pipes');
    await page.getByRole('group', { name: 'What is shown' }).getByRole('button', { name: 'stdout' }).click();
    await page.locator('.line .text', { hasText: /^begun$/ }).waitFor();
    await gate.open();
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await page.locator('.line .text', { hasText: /^all of it$/ }).waitFor();
    await page.locator('.log').evaluate((log) => (log.scrollTop = 0));
    await page.locator('.line .text', { hasText: /^begun and ended$/ }).waitFor();
  });

  await here.fact('only the visible part of a long log is fetched', async () => {
    await startTask(page, 'seq 1 2000000', 'pipes', 'counting');
    await ends(page, 'Succeeded');
    await page.locator('.line .text', { hasText: /^2000000$/ }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'stdout', pressed: true }).waitFor();
    const fetched = fetchedBy(page);
    // In one step, since lines are drawn again while new ones arrive.
    const seen = await page.waitForFunction(() => {
      const number = [...document.querySelectorAll('.line .number')].at(-1);
      if (number?.textContent !== '2000000') return null;
      const digits = document.createRange();
      digits.selectNodeContents(number);
      return { isCut: digits.getBoundingClientRect().left < number.closest('.log').getBoundingClientRect().left };
    });
    assert.deepEqual(await seen.jsonValue(), { isCut: false }, 'the number is not to be read');
    await page.locator('.log').evaluate((log) => (log.scrollTop = 0));
    await page.locator('.line .text', { hasText: /^1$/ }).waitFor();
    await page.locator('.log').evaluate((log) => (log.scrollTop = log.scrollHeight / 2));
    await page
      .locator('.line .text', { hasText: /^10000\d\d$/ })
      .first()
      .waitFor();
    assert.ok(fetched() < 100_000, `${fetched()} bytes were fetched`);
  });

  await here.fact('millions of lines are read page by page without gaps', async () => {
    await page.locator('.log').focus();
    await page.keyboard.press('Home');
    await page.locator('.line .text', { hasText: /^1$/ }).waitFor();
    await isSettled(page);
    let [, last] = await inView(page);
    for (let i = 0; i < 5; i++) {
      const before = last;
      await scrolls(page, '.log', () => page.keyboard.press('PageDown'));
      await isSettled(page);
      const [first, next] = await inView(page);
      assert.ok(first > 1 && first <= before + 1 && next > before, `after ${before} came ${first} to ${next}`);
      last = next;
    }
    await page.keyboard.press('End');
    await page.locator('.line .number', { hasText: /^2000000$/ }).waitFor();
  });

  await here.fact('a scrolled log stays in place while its oldest lines are dropped', async () => {
    const gate = await here.gate();
    await startTask(page, `seq 1 109000; for i in 1 2 3 4 5 6; do ${gate.waits}; seq 1 2000; echo "piece $i"; done`, 'pipes', 'rolling');
    await page.locator('.line .text', { hasText: /^109000$/ }).waitFor();
    await scrolls(page, '.log', () => page.locator('.log').evaluate((log) => (log.scrollTop -= 4000)));
    await page.locator('.line .text', { hasText: /^108800$/ }).waitFor();
    await isSettled(page);
    const [before] = await inView(page);
    for (let i = 1; i <= 6; i++) {
      await gate.open();
      await drawn(page);
    }
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await isComplete(page);
    await page.getByText('Only the latest output is shown').waitFor();
    await drawn(page);
    assert.deepEqual((await inView(page))[0], before);
  });

  await here.fact('lines of twenty thousand characters do not block the page', async () => {
    const line = `JSON.stringify({ at: i, text: "x".repeat(19980) })`;
    const gate = await here.gate();
    const command = `echo begun; ${gate.waits}; node -e 'for (let i = 0; i < 1000; i++) console.log(${line})'`;
    const long = await longestTask(page, async () => {
      await startTask(page, command, 'pipes', 'long lines');
      await page.locator('.line .text', { hasText: /^begun$/ }).waitFor();
      await page.locator('.log').focus();
      await page.keyboard.press('f'); // a following view skips most of it
      await page.locator('.log[data-follows=false]').waitFor();
      await gate.open();
      await page.locator('.connection', { hasText: 'complete' }).waitFor({ timeout: 60_000 });
      await page.keyboard.press('f');
      await page.locator('.line .text', { hasText: '{"at":999,' }).waitFor();
      await page.getByRole('group', { name: 'What is shown' }).getByRole('button', { name: 'stdout' }).click();
      await page.locator('.line .number', { hasText: /^1001$/ }).waitFor();
      await page.locator('.line .text', { hasText: '{"at":999,' }).waitFor();
    });
    here.note(`the longest that the page did not answer was ${long.most} ms (${long.count} over 50)`);
    assert.ok(long.most < LONG_MS, `the page did not answer for ${long.most} ms`);
  });

  await here.fact('a line of any length shows its beginning, and the size of the rest', async () => {
    const fetched = fetchedBy(page);
    const long = await longestTask(page, async () => {
      await startTask(page, "printf 'begun '; head -c 60000000 /dev/zero | tr '\\0' x", 'pipes', 'a long line');
      await ends(page, 'Succeeded');
      await isComplete(page);
      await page.locator('.line .text', { hasText: / … \d+ characters more of this line are in the file$/ }).last().waitFor();
      await page.getByRole('group', { name: 'What is shown' }).getByRole('button', { name: 'stdout' }).click();
      await page.locator('.line .text', { hasText: /^begun x+ … 57\.2 MiB more of this line are in the file$/ }).waitFor();
      await page.keyboard.press('w');
      await page.locator('.log.wraps .line').first().waitFor();
      await page.keyboard.press('w');
    });
    here.note(`the longest that the page did not answer was ${long.most} ms (${long.count} over 50)`);
    assert.ok(long.most < LONG_MS, `the page did not answer for ${long.most} ms`);
    assert.ok(fetched() < 1_000_000, `${fetched()} bytes were fetched`);
  });

  await here.fact('a line that is rewritten shows its last version', async () => {
    const fetched = fetchedBy(page);
    await startTask(page, `node -e 'for (let i = 0; i <= 300000; i++) process.stdout.write("\\r" + i + " of 300000")'`, 'pipes');
    await ends(page, 'Succeeded');
    await page.locator('.line .text', { hasText: /^300000 of 300000$/ }).waitFor();
    await page.getByRole('group', { name: 'What is shown' }).getByRole('button', { name: 'stdout' }).click();
    await page.getByRole('button', { name: 'stdout' }).and(page.locator('[aria-pressed=true]')).waitFor();
    await page.locator('.line .number', { hasText: /^1$/ }).waitFor();
    await page.locator('.line .text', { hasText: /^300000 of 300000$/ }).waitFor();
    assert.ok(fetched() < 1_000_000, `${fetched()} bytes were fetched`);
  });

  await here.fact('a search finds coloured text, and no colour codes', async () => {
    await startTask(page, "echo first; printf '\\033[1;31merror\\033[0m: no such file\\n'; echo last", 'pipes');
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    for (const source of ['Both', 'stdout']) {
      await page.getByRole('group', { name: 'What is shown' }).getByRole('button', { name: source }).click();
      await page.locator('.log').focus();
      await page.keyboard.press('/');
      await page.getByLabel('Search the log').fill('error: no');
      await page.keyboard.press('Enter');
      await page.locator('.line.marked', { hasText: /^2error: no such file$/ }).waitFor();
      await page.getByLabel('Search the log').fill('31m');
      await page.keyboard.press('Enter');
      await page.locator('.search').getByText('not found').waitFor();
      await page.keyboard.press('Escape');
    }
  });

  await here.fact('output beyond the limit blocks nothing, and the page says that it is missing', async () => {
    await startTask(page, 'seq 1 4000000', 'pipes', 'too much', '16 MiB');
    await ends(page, 'the first 16.0 MiB of');
    await isComplete(page);
  });

  await here.fact('a search requests nothing beyond the end', async () => {
    const refused = [];
    page.on('response', (response) => void (response.status() === 416 && refused.push(response.url())));
    await startTask(page, 'echo one needle; echo hay', 'pipes', 'a small haystack');
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await isComplete(page);
    for (const [channel, first] of [
      ['stdout', /^1 of 1$/],
      ['stderr', 'not found'],
    ]) {
      await page.getByRole('group', { name: 'What is shown' }).getByRole('button', { name: channel }).click();
      await page.locator('.log[aria-busy=false]').waitFor();
      await page.locator('.log').focus();
      await page.keyboard.press('/');
      await page.getByLabel('Search the log').fill('needle');
      await page.keyboard.press('Enter');
      await page.locator('.search').getByText(first).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.search').getByText(first).waitFor();
      await page.keyboard.press('Escape');
    }
    assert.deepEqual(refused, []);
  });

  await here.fact('a log of 50 MB is read, searched and wrapped without blocking the page', async () => {
    const command = "seq 1 6000000; echo 'a Needle in it'; seq 1 500000; echo 'another needle'; seq 1 9";
    let searched = 0;
    const long = await longestTask(page, async () => {
      await startTask(page, command, 'pipes', 'a haystack');
      await ends(page, 'Succeeded');
      await isComplete(page);
      await page.getByRole('group', { name: 'What is shown' }).getByRole('button', { name: 'stdout' }).click();
      await page.locator('.line .number', { hasText: /^6500011$/ }).waitFor();
      await page.locator('.log[data-follows=true]').waitFor();
      await page.locator('.log').focus();
      await page.keyboard.press('/');
      const begun = performance.now();
      await page.keyboard.type('NEEDLE');
      await searchEnds(page);
      searched = Math.round(performance.now() - begun);
      await page.locator('.line.marked', { hasText: 'a Needle in it' }).waitFor();
      assert.equal(await page.locator('.line.marked .number').innerText(), '6000001');
      await page.locator('.log[data-follows=false]').waitFor();
      await page.locator('.search').getByText(/^1 of 2$/).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.line.marked', { hasText: 'another needle' }).waitFor();
      assert.equal(await page.locator('.line.marked .number').innerText(), '6500002');
      await page.locator('.search').getByText(/^2 of 2$/).waitFor();
      await page.keyboard.press('Enter'); // around the end
      await page.locator('.line.marked', { hasText: 'a Needle in it' }).waitFor();
      await page.getByRole('button', { name: 'Previous match' }).click();
      await page.locator('.line.marked', { hasText: 'another needle' }).waitFor();
      await page.getByLabel('Search the log').fill('eedle in');
      await page.locator('.search .figure', { hasText: /%$|^1 of 1$/ }).waitFor(); // no longer that of the search before
      await searchEnds(page);
      await page.locator('.line.marked', { hasText: 'a Needle in it' }).waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('w');
      await page.locator('.log.wraps .line').first().waitFor();
      await page.keyboard.press('w');
      await page.keyboard.press('f');
      await page.locator('.line .number', { hasText: /^6500011$/ }).waitFor();
    });
    here.note(`the longest that the page did not answer was ${long.most} ms (${long.count} over 50); 47 MB searched in ${searched} ms`);
    assert.ok(long.most < LONG_MS, `the page did not answer for ${long.most} ms`);
  });

  await here.fact('a long search shows its progress, and can be stopped', async () => {
    let goOn = () => {};
    const stopped = new Promise((resolve) => (goOn = resolve));
    let asked = 0;
    await page.route('**/output/stdout', async (route) => {
      if (++asked > 5) await stopped; // as if the server were far away
      await route.continue().catch(() => undefined); // the task was stopped meanwhile
    });
    await page.keyboard.press('/');
    await page.getByLabel('Search the log').fill('what is not there');
    await page.locator('.search .figure', { hasText: /^\d+ %$/ }).waitFor();
    await page.locator('.search').getByRole('button', { name: 'Stop' }).click();
    await page.locator('.search .figure', { hasText: /^$/ }).waitFor({ state: 'attached' });
    goOn();
    await page.unroute('**/output/stdout');
    await page.keyboard.press('Escape');
  });
}

/** Says how many bytes a page has fetched from here on. */
function fetchedBy(page) {
  const sums = new Map();
  page.on('response', (response) => {
    const task = /\/tasks\/([^/?]+)/.exec(response.url())?.[1] ?? '';
    void response.body().then(
      (body) => sums.set(task, (sums.get(task) ?? 0) + body.length),
      () => undefined,
    );
  });
  // Ignores requests of the task shown before, which may still be in progress.
  return () => [...sums].reduce((sum, [task, bytes]) => (task !== '' && page.url().includes(task) ? sum + bytes : sum), 0);
}

/** The numbers of the first and last line of a log that are visible as a whole. */
function inView(page) {
  return page.evaluate(() => {
    const log = document.querySelector('.log').getBoundingClientRect();
    const seen = [...document.querySelectorAll('.line')].filter((line) => {
      const { top, bottom } = line.getBoundingClientRect();
      return top >= log.top - 1 && bottom <= log.bottom + 1;
    });
    return [seen.at(0), seen.at(-1)].map((line) => Number(line.querySelector('.number').textContent));
  });
}

/** Nothing scrolls, and the lines in view are drawn. */
function isSettled(page) {
  return page.locator('.log[aria-busy=false]').waitFor();
}

/** The search is over. How long it takes depends on the output, but it must make progress. */
async function searchEnds(page) {
  const said = page.locator('.search .figure');
  await said.filter({ hasText: /./ }).waitFor();
  for (let how = await said.textContent(); /%$/.test(how); how = await said.textContent())
    await page.waitForFunction((before) => document.querySelector('.search .figure').textContent !== before, how);
}
