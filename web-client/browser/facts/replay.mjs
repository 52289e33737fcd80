// The record of a terminal, played.
import assert from 'node:assert/strict';
import { startTask } from '../chromium.mjs';
import { shows } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());
  const visible = () => page.locator('.replay .xterm-rows');
  const text = async () => (await visible().innerText()).replaceAll('\u00a0', ' ');
  const steps = async () => [...(await text()).matchAll(/step (\d+)/g)].map(([, number]) => Number(number));
  const place = page.getByLabel('Place in the record');
  /** The address names the frame when the terminal has it; it is drawn with the next picture. */
  const at = async (seq) => {
    await page.waitForURL((url) => url.hash.endsWith(`/replay?seq=${seq}`));
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  };
  const until = (number) =>
    page.waitForFunction(
      (wanted) =>
        (document.querySelector('.replay .xterm-rows')?.innerText ?? '')
          .replaceAll('\u00a0', ' ')
          .trimEnd()
          .endsWith(wanted),
      number === 0 ? '' : `step ${number}`,
    );

  await here.fact('a terminal that has ended is played again, at any speed and from any frame on', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, 'stty -echo; for i in $(seq 1 20); do echo "step $i"; sleep 0.06; done', 'pty', 'steps');
    await shows(page, 'step 20');
    await page.locator('.end', { hasText: 'Ended well' }).waitFor();
    await page.keyboard.press('Control+Shift+e');
    await page.keyboard.press('2');
    await page.getByRole('button', { name: 'Pause' }).waitFor(); // it plays at once
    await page.getByLabel('Speed').selectOption('8');
    await until(20);
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    const last = Number(await place.inputValue());
    assert.equal(Number(await place.getAttribute('max')), last);
    assert.match(await page.locator('.replay .figure').innerText(), /^0:0(\d) \/ 0:0\d$/);
  });

  await here.fact('the scrubber shows what was to be seen at each place, and so does a link to it', async () => {
    const middle = Math.floor(Number(await place.inputValue()) / 2);
    await place.fill(String(middle));
    await at(middle);
    const seen = await steps();
    assert.ok(seen.length > 2 && seen.length < 18, `${seen}`);
    assert.deepEqual(seen, Array.from(seen, (_, i) => i + 1));
    await page.keyboard.press('.');
    await at(middle + 1);
    const there = await text();
    await page.reload();
    await until(Math.max(...[...there.matchAll(/step (\d+)/g)].map(([, number]) => Number(number))));
    assert.equal((await text()).trim(), there.trim());
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  });

  await here.fact('a replay is led by the keyboard alone', async () => {
    await page.keyboard.press('ArrowLeft'); // it is younger than five seconds
    await until(0);
    await page.keyboard.press('>');
    assert.equal(await page.getByLabel('Speed').inputValue(), '2');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await until(20);
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.context().close();
  });
}
