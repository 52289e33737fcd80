// Replays of floods.
import assert from 'node:assert/strict';
import { startTask } from '../chromium.mjs';
import { ends } from '../ground.mjs';

const LASTS_MS = 4_000;
const IDLE_MS = 2_000; // a longer pause is cut to this: `IDLE_MS` of src/replay/player.ts
const NEAR_MS = 250; // a replay may be ahead of its clock by half of this: `BEHIND_MS` there
const LATE_PLACES = 4; // a leap that was under way, one to the end, and what is shown right after each
const LEAP_PLACES = 3; // a leap to the moment that is due begins at most so many places before it is shown, or the next one

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());

  /** When the frames of the record were written. */
  const timesOf = () =>
    page.evaluate(async () => {
      const record = await (await fetch(`/tasks/${location.hash.split('/')[2]}/events?until=end&text=none`)).text();
      return [...record.matchAll(/"timestamp_ms":(\d+)/g)].map(([, at]) => Number(at));
    });

  /** Plays the record from its beginning; returns when it was begun, and when the replay was at which frame. */
  const played = async (speed) => {
    await page.locator('.replay .play').evaluate((button) => button.textContent === 'Pause' && button.click());
    const play = page.getByRole('button', { name: 'Play', exact: true });
    await play.waitFor();
    await page.getByLabel('Position in the record').fill('0');
    await page.waitForURL(/replay\?seq=\d$/);
    await page.getByLabel('Speed').selectOption(String(speed));
    const places = await page.getByLabel('Position in the record').evaluateHandle((place) => {
      const replay = place.closest('.replay');
      const seen = { begun: 0, plays: false, over: 0, places: [] };
      const button = document.querySelector('.replay .play');
      new MutationObserver(() => {
        if (seen.places.at(-1)?.seq !== replay.dataset.seq) seen.places.push({ at: performance.now(), seq: replay.dataset.seq });
        if (seen.begun !== 0 && button.textContent === 'Pause') seen.plays = true;
        if (seen.plays && seen.over === 0 && button.textContent === 'Play') seen.over = performance.now();
      }).observe(document.querySelector('.replay'), { subtree: true, childList: true, characterData: true, attributes: true });
      button.addEventListener('click', () => Object.assign(seen, { begun: performance.now(), places: [] }), { capture: true });
      return seen;
    });
    await play.click();
    await page.waitForFunction(({ over }) => over !== 0, places, { timeout: 60_000 });
    await page.waitForFunction(() => document.querySelector('.replay .xterm-rows').innerText.trimEnd().endsWith('over'));
    return places.jsonValue();
  };

  await here.fact('a replay of a flood keeps its speed, and reaches the same end', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, `timeout ${LASTS_MS / 1000} seq 1 1000000000; echo; echo over`, 'pty', 'a flood');
    await ends(page, 'Succeeded');
    await page.keyboard.press('Control+Shift+e');
    await page.getByRole('link', { name: 'Replay' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    const times = await timesOf();
    const length = times.slice(1).reduce((sum, at, before) => sum + Math.min(IDLE_MS, at - times[before]), 0);
    for (const speed of [1, 4]) {
      const { begun, over, places } = await played(speed);
      const lasts = length / speed;
      // The clock runs when the replay moves. From the moment at which it should end, no more is shown than the way to the end.
      const moved = places.find(({ seq }) => seq !== places[0].seq).at;
      const late = places.filter(({ at }) => at > moved + lasts + NEAR_MS).length;
      const behind = places.slice(LEAP_PLACES).filter(({ seq }, i) => (times[seq] - times[0]) / speed < Math.min(lasts, places[i].at - moved) - NEAR_MS);
      here.note(`a flood of ${length} ms was played at ${speed}× in ${Math.round(over - begun)} ms, with ${places.length} places, ${late} of them late`);
      assert.ok(over - begun >= lasts - NEAR_MS, `played at ${speed}× in ${over - begun} ms`);
      assert.deepEqual(behind, [], `places behind the clock, at ${speed}×`);
      assert.ok(late <= LATE_PLACES, `${late} places were shown after the replay should have ended, at ${speed}×`);
    }
    assert.equal(await page.locator('.replay .complaint').innerText(), '');
  });

  await here.fact('a playing replay that is moved to its last frame ends', async () => {
    const place = page.getByLabel('Position in the record');
    await place.fill('0');
    await page.waitForURL(/replay\?seq=\d$/);
    await page.getByLabel('Speed').selectOption('0.5');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await place.fill(await place.getAttribute('max'));
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.context().close();
  });
}
