// Replays of terminals.
import assert from 'node:assert/strict';
import { startTask, stopTask } from '../chromium.mjs';
import { drawn, hears, isLive, shows } from '../ground.mjs';

const SCREENS = /\/screen\?/;
const PLAY = '.replay button.play';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());
  const visible = () => page.locator('.replay .xterm-rows');
  const text = async () => (await visible().innerText()).replaceAll('\u00a0', ' ');
  const steps = async () => [...(await text()).matchAll(/step (\d+)/g)].map(([, number]) => Number(number));
  const place = page.getByLabel('Position in the record');
  /** The shown frame. */
  const frame = async () => Number(await page.locator('.replay').getAttribute('data-seq'));
  /** The address names the frame when the terminal has it; it is drawn with the next animation frame. */
  const at = async (seq) => {
    await page.waitForURL((url) => url.hash.endsWith(`/replay?seq=${seq}`));
    await drawn(page);
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

  await here.fact('an ended terminal is replayed at any speed and from any frame', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, 'stty -echo; for i in $(seq 1 20); do echo "step $i"; sleep 0.06; done', 'pty', 'steps');
    await shows(page, 'step 20');
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await page.keyboard.press('Control+Shift+e');
    const named = await hears(page, PLAY);
    await page.keyboard.press('2');
    await page.getByLabel('Speed').selectOption('8');
    await until(20);
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    assert.ok((await named()).includes('Pause'), 'it does not play at once');
    await page.waitForFunction(() => {
      const { value, max } = document.querySelector('.place-in');
      const [now, total] = document.querySelector('.replay .tools > .figure').textContent.split(' / ');
      return value === max && now === total;
    });
  });

  await here.fact('the clock and the slider of a replay agree, and pauses are cut from both', async () => {
    const other = await here.pageOf(page.context());
    await other.goto(`${here.address}/`);
    await startTask(other, 'echo begin; sleep 4; echo over', 'pty', 'a pause'); // longer than what a pause is cut to
    await other.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await other.goto(`${other.url()}/replay?seq=0`); // a link to a frame does not play
    const slider = other.getByLabel('Position in the record');
    await other.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await slider.press('End');
    await other.waitForFunction(() => {
      const { value, max } = document.querySelector('.place-in');
      return Number(max) > 0 && value === max;
    });
    const total = Number(await slider.getAttribute('max'));
    assert.ok(total > 2_000 && total < 4_000, `${total} ms`);
    await slider.fill(String(total / 2));
    await other.locator('.replay .tools > .figure', { hasText: /^0:01 \/ 0:0[23]$/ }).waitFor();
    assert.ok(Math.abs(Number(await slider.inputValue()) - total / 2) < 20, await slider.inputValue());
    await other.close();
  });

  await here.fact('the slider shows at the pointer the time and the screen of that moment', async () => {
    const { x, y, width, height } = await place.boundingBox();
    await page.mouse.move(x + width * 0.6, y + height / 2);
    await page.locator('.preview', { hasText: /^(step \d+\s*)+0:0\d · / }).waitFor();
    await page.mouse.move(x + width - 2, y + height / 2);
    await page.locator('.preview', { hasText: /step 20\s.*ended/s }).waitFor();
    assert.equal(await page.locator('.happenings .end').count(), 1);
    await page.mouse.move(0, 0);
    await page.locator('.preview').waitFor({ state: 'hidden' });
  });

  await here.fact('a replay fills the screen', async () => {
    await page.getByRole('button', { name: 'Full screen' }).click();
    await page.waitForFunction(() => document.fullscreenElement?.classList.contains('replay'));
    await page.getByRole('button', { name: 'Full screen' }).click();
    await page.waitForFunction(() => document.fullscreenElement === null);
  });

  await here.fact('a link leads to the player alone', async () => {
    const other = await here.pageOf(page.context());
    await other.goto(`${page.url().replace(/\?.*/, '')}?seq=3&player=1`);
    await other.getByRole('button', { name: 'Play', exact: true }).waitFor();
    assert.equal(await other.locator('.top').isVisible() || (await other.locator('.task-head').isVisible()), false);
    await other.close();
  });

  await here.fact('the slider and a link show the screen at each position', async () => {
    await place.fill(String(await page.evaluate(middleOf)));
    await page.waitForURL(/replay\?seq=\d+$/);
    await drawn(page);
    const middle = await frame();
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

  await here.fact('a position that cannot be shown is reported, and the slider returns to the current one', async () => {
    const [middle, before] = [await place.inputValue(), await frame()];
    const refusal = { error: { code: 'X', message: 'It cannot be read', retryable: false, details: {} } };
    await page.route(SCREENS, (route) => route.fulfill({ status: 500, json: refusal }));
    await place.fill('1');
    await page.locator('.replay .complaint', { hasText: 'It cannot be read' }).waitFor();
    assert.equal(await place.inputValue(), middle);
    await page.unroute(SCREENS);
    await place.fill('1');
    await page.waitForURL(/replay\?seq=[0-6]$/);
    assert.equal(await page.locator('.replay .complaint').innerText(), '');
    await place.fill(middle);
    await at(before);
  });

  await here.fact('a replay is controlled by the keyboard alone', async () => {
    await page.keyboard.press('ArrowLeft'); // the task is younger than five seconds
    await until(0);
    await page.keyboard.press('>');
    assert.equal(await page.getByLabel('Speed').inputValue(), '2');
    const named = await hears(page, PLAY);
    await page.keyboard.press('Space');
    await until(20);
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    assert.ok((await named()).includes('Pause'), 'it does not play');
  });

  /** Holds requested screens back; the returned function releases them and waits until the page has received them. */
  const hold = async () => {
    let goOn = () => {};
    const held = new Promise((resolve) => (goOn = resolve));
    const answers = [];
    await page.route(SCREENS, async (route) => {
      answers.push(page.waitForResponse((response) => response.request() === route.request()));
      await held;
      await route.continue();
    });
    return async () => {
      goOn();
      for (const answer of answers) await (await answer).finished();
      await page.unroute(SCREENS);
    };
  };
  const output = /\/tasks\/[^/]+$/;

  await here.fact('a replay that is left before its first screen keeps no connection', async () => {
    const open = new Set();
    page.on('request', (request) => /\/events\?/.test(request.url()) && open.add(request));
    for (const over of ['requestfinished', 'requestfailed']) page.on(over, (request) => open.delete(request));
    await page.goto(`${here.address}/`);
    await startTask(page, 'echo something; cat', 'pty', 'left');
    await shows(page, 'something');
    await isLive(page);
    const goOn = await hold();
    await Promise.all([page.waitForRequest(SCREENS), page.getByRole('link', { name: 'Replay' }).click()]);
    await page.keyboard.press('1');
    await page.waitForURL(output);
    await goOn();
    await page.getByRole('link', { name: 'Replay' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.locator('.replay .xterm-rows', { hasText: 'something' }).waitFor();
    while (open.size > 1) await Promise.race(['requestfinished', 'requestfailed'].map((over) => page.waitForEvent(over))); // those that are over
    assert.deepEqual(Array.from(open, (request) => request.url().replace(/.*events/, 'events')), [
      'events?until=end&text=none&from_seq=0',
    ]);
  });

  await here.fact('leaving a replay during a seek keeps the new address', async () => {
    const goOn = await hold();
    await Promise.all([page.waitForRequest(SCREENS), place.fill('1')]);
    await page.getByRole('link', { name: 'Output' }).click();
    await page.waitForURL(output);
    await goOn();
    await drawn(page);
    assert.match(page.url(), output);
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await page.context().close();
  });
}

/** Runs in the page: the played time of the middle one of the outputs. How long a program takes to begin depends on the machine. */
async function middleOf() {
  const record = await (await fetch(`/tasks/${location.hash.split('/')[2]}/events?until=end&text=none`)).text();
  const frames = record.split('\n').flatMap((line) => (line.startsWith('data:') ? [JSON.parse(line.slice('data:'.length))] : []));
  const outputs = frames.filter(({ type }) => type === 'tool_task_output_delta');
  return outputs[Math.floor(outputs.length / 2)].timestamp_ms - frames[0].timestamp_ms;
}
