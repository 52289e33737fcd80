// Replays of floods.
import assert from 'node:assert/strict';
import { startTask } from '../chromium.mjs';
import { ends } from '../ground.mjs';

const LASTS_MS = 4_000;

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());

  await here.fact('a replay of a flood keeps its speed, and reaches the same end', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, `timeout ${LASTS_MS / 1000} seq 1 1000000000; echo; echo over`, 'pty', 'a flood');
    await ends(page, 'Succeeded');
    await page.keyboard.press('Control+Shift+e');
    await page.getByRole('link', { name: 'Replay' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    const lasted = await page.evaluate(async () => {
      const task = await (await fetch(`/tasks/${location.hash.split('/')[2]}`)).json();
      return task.ended_at_ms - task.started_at_ms;
    });
    const took = async (speed) => {
      await page.getByLabel('Position in the record').fill('0');
      await page.waitForURL(/replay\?seq=0$/);
      await page.getByLabel('Speed').selectOption(String(speed));
      const play = page.getByRole('button', { name: 'Play', exact: true });
      if (await play.isVisible()) await play.click();
      const begun = performance.now();
      await play.waitFor({ timeout: 60_000 });
      await page.waitForFunction(() => document.querySelector('.replay .xterm-rows').innerText.trimEnd().endsWith('over'));
      return Math.round(performance.now() - begun);
    };
    const [usual, fast] = [await took(1), await took(4)];
    here.note(`a flood of ${lasted} ms was played in ${usual} ms, and at 4× in ${fast} ms`);
    assert.ok(usual > lasted * 0.8 && usual < lasted * 1.75, `${usual} ms at 1×`);
    assert.ok(fast < lasted * 0.9, `${fast} ms at 4×`);
    assert.equal(await page.locator('.replay .complaint').innerText(), '');
  });

  await here.fact('a playing replay that is moved to its last frame ends', async () => {
    const place = page.getByLabel('Position in the record');
    await place.fill('0');
    await page.waitForURL(/replay\?seq=0$/);
    await page.getByLabel('Speed').selectOption('0.5');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await place.fill(await place.getAttribute('max'));
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.context().close();
  });
}
