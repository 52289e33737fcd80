// Navigation in a record that is long, or still grows.
import assert from 'node:assert/strict';
import { startTask, stopTask } from '../chromium.mjs';
import { drawn, hasFrames, isComplete, scrolls } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());
  const timeline = page.getByRole('region', { name: 'Timeline' });
  const rows = page.locator('.timeline li');
  const lastSeq = async () => Number(await rows.last().locator('.seq').innerText());
  const toEnd = () => timeline.evaluate((view) => view.scrollHeight - view.clientHeight - view.scrollTop);
  /** Looks right after changes are drawn: while the page is slow, each frame has new rows, which are drawn at its end. */
  const isAtEnd = async () => {
    const state = await page.evaluateHandle(() => {
      const seen = { isAtEnd: false };
      const look = () => {
        const view = document.querySelector('.timeline')?.closest('.scrolled');
        seen.isAtEnd ||= view?.scrollTop > 0 && view.scrollHeight - view.clientHeight - view.scrollTop < 8;
      };
      look();
      new MutationObserver(() => requestAnimationFrame(look)).observe(document, { subtree: true, childList: true });
      document.addEventListener('scroll', look, { capture: true });
      return seen;
    });
    await page.waitForFunction(({ isAtEnd }) => isAtEnd, state);
  };
  const grown = (before) =>
    page.waitForFunction((seq) => Number([...document.querySelectorAll('.timeline .seq')].at(-1).textContent) > seq, before);
  // Alternating channels, so that nearly each frame has a line of its own.
  const turns = (count, pause) => `for i in $(seq ${count}); do echo $i; echo $i >&2; sleep ${pause}; done`;

  await here.fact('the timeline of a running task opens at the latest frame and follows', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, `${turns(60, 0.001)}; ${turns(5000, 0.05)}`, 'pipes', 'goes on');
    await hasFrames(page, 60);
    await page.getByRole('link', { name: 'Timeline' }).click();
    await isAtEnd();
    const before = await lastSeq();
    await grown(before + 5);
    await isAtEnd();
  });

  await here.fact('a scrolled timeline stays in place, and a key or a button returns to the latest frame', async () => {
    await timeline.hover();
    const scroll = await scrolls(page, '.scrolled', () => page.mouse.wheel(0, -600));
    // While it follows, it scrolls by itself; once away from the end, only the wheel scrolls.
    const isAway = () =>
      page.waitForFunction(
        ({ element, over }) => over && element.scrollHeight - element.clientHeight - element.scrollTop > 300,
        scroll,
      );
    await isAway();
    await drawn(page);
    await isAway();
    const place = await timeline.evaluate((view) => view.scrollTop);
    await grown((await lastSeq()) + 5);
    assert.equal(await timeline.evaluate((view) => view.scrollTop), place);
    await page.getByRole('button', { name: 'Latest', exact: true }).press('Enter');
    await isAtEnd();
    await grown((await lastSeq()) + 5);
    await isAtEnd();
    await timeline.focus();
    await page.keyboard.press('Home');
    await page.waitForFunction(() => document.querySelector('.timeline').closest('.scrolled').scrollTop === 0);
    await grown((await lastSeq()) + 5);
    assert.equal(await timeline.evaluate((view) => view.scrollTop), 0);
    await page.keyboard.press('End');
    await isAtEnd();
  });

  await here.fact('a link to a missing frame says which frames exist', async () => {
    const address = page.url().replace(/\/timeline$/, '');
    await page.goto(`${address}?seq=987654`);
    await page.getByText(/^There is no frame 987654 yet: they are numbered 0 to \d+\.$/).waitFor();
    await isAtEnd();
    await page.goto(`${address}?seq=soon`);
    await page.getByText(/^The link names no frame: they are numbered 0 to \d+\.$/).waitFor();
    await page.goto(`${address}/replay?seq=3`); // of another view, with its own message
    await page.goto(`${address}?seq=3`);
    await page.locator('.timeline li.marked .seq', { hasText: /^3$/ }).waitFor();
    assert.equal(await page.getByText('they are numbered').count(), 0);
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
  });

  await here.fact('the beginning and the end of a long record are one key away', async () => {
    await page.goto(`${here.address}/`);
    const gate = await here.gate();
    await startTask(page, gate.repeats(0.001, 'echo $((++i)); echo $i >&2'), 'pipes', 'a long way');
    await hasFrames(page, 700);
    await gate.open();
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await isComplete(page);
    await page.getByRole('link', { name: 'Timeline' }).click();
    await rows.filter({ hasText: 'Succeeded' }).waitFor();
    await isAtEnd();
    assert.ok((await lastSeq()) > 600, 'there are too few frames');
    await page.getByRole('button', { name: 'Oldest' }).press('Enter');
    await rows.filter({ hasText: 'Requested bash' }).waitFor();
    await page.getByRole('button', { name: 'Load later' }).waitFor();
    assert.equal(await timeline.evaluate((view) => view.scrollTop), 0);
    assert.ok((await toEnd()) > 0);
    await timeline.focus();
    await page.keyboard.press('End');
    await rows.filter({ hasText: 'Succeeded' }).waitFor();
    await isAtEnd();
    await page.context().close();
  });
}
