// Terminals: typed into, shared, pasted into, stopped.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { startTask, stopTask } from '../chromium.mjs';
import { copied, drawn, hears, isComplete, isLive, isSettled, shows, text } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const { context, page } = here;

  await here.fact('a task started by keyboard echoes what is typed', async () => {
    await startTask(page, 'cat', 'pty', 'an echo');
    await isLive(page);
    await page.keyboard.type('hello there\n');
    await page.waitForFunction(
      () =>
        (document.querySelector('.xterm-rows')?.textContent ?? '').replaceAll('\u00a0', ' ').split('hello there')
          .length === 3,
    );
  });

  await here.fact('the same text is there after a reload', async () => {
    const before = await text(page);
    await page.reload();
    await shows(page, 'hello there', 2);
    await isLive(page);
    assert.equal((await text(page)).trim(), before.trim());
  });

  await here.fact('two viewers of a task see the same, and see each other', async () => {
    const other = await here.pageOf(context);
    await other.goto(page.url());
    await isLive(other);
    await page.getByText('1 other viewer').waitFor();
    await other.locator('.screen').click();
    await other.keyboard.type('from the other\n');
    await shows(page, 'from the other');
    await other.close();
    await page.getByText('1 other viewer').waitFor({ state: 'detached' });
  });

  await here.fact('a terminal query is answered once, with any number of viewers', async () => {
    const one = await here.pageOf(context);
    const other = await here.pageOf(context);
    await other.addInitScript(() => (document.hasFocus = () => false)); // only the window in front has the focus; each page believes that it has
    await one.goto(`${here.address}/`);
    // Text that a page types after its answer arrives after it: when a letter of each page has arrived, all answers have.
    const key = 'IFS= read -r -N 1 key';
    const counts = `while [ \${#typed} -lt 2 ]; do ${key}; case $key in R) answers+=R;; [ab]) typed+=$key;; esac; done`;
    await startTask(one, `stty raw -echo; printf 'ready '; ${key}; printf '\\033[6nasked '; ${counts}; printf "answers: $answers over"`, 'pty', 'asks');
    await isLive(one);
    await other.goto(one.url());
    await isLive(other);
    await one.getByText('1 other viewer').waitFor();
    await shows(one, 'ready');
    await one.keyboard.press('g');
    for (const [page, letter] of [[one, 'a'], [other, 'b']]) {
      await shows(page, 'asked');
      await page.locator('.screen').click();
      await page.keyboard.press(letter);
    }
    await shows(one, 'answers: R over');
    await other.close();
    await one.close();
  });

  await here.fact('several lines are pasted only after a question', async () => {
    await page.locator('.screen').click();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'one line\nand another\n');
      document
        .querySelector('.xterm-helper-textarea')
        .dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await page.getByRole('dialog').getByText('Paste 2 lines?').waitFor();
    assert.ok(!(await text(page)).includes('and another'));
    await page.getByRole('dialog').getByRole('button', { name: 'Paste', exact: true }).click();
    await shows(page, 'and another');
  });

  await here.fact('a terminal fills its place', async () => {
    const size = page.locator('.tools .figure');
    await isSettled(page);
    const before = await size.innerText();
    await page.setViewportSize({ width: 700, height: 500 });
    await page.waitForFunction((old) => document.querySelector('.tools .figure')?.textContent !== old, before);
    await page.setViewportSize({ width: 1100, height: 700 });
    await page.waitForFunction((old) => document.querySelector('.tools .figure')?.textContent === old, before);
  });

  await here.fact('a stopped task says how it ended', async () => {
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await isComplete(page);
    assert.ok((await text(page)).includes('hello there'));
  });

  await here.fact('an ended terminal releases the keyboard', async () => {
    const { x, y } = await page.locator('.xterm-rows > div', { hasText: 'hello there' }).first().boundingBox();
    await page.mouse.dblclick(x + 4, y + 4);
    assert.equal(await copied(page, () => page.keyboard.press('Control+c')), 'hello');
    await page.keyboard.press('Control+Shift+f');
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.screen').click();
    const isInside = () => page.evaluate(() => document.activeElement.closest('.screen') !== null);
    assert.ok(await isInside());
    await page.keyboard.press('Tab');
    assert.ok(!(await isInside()));
  });

  for (const [where, viewport] of [['at a desk', { width: 1100, height: 700 }], ['on a phone', { width: 390, height: 700 }]]) {
    await here.fact(`when a task ends ${where}, its terminal keeps its place and size`, async () => {
      const other = await here.pageOf(await here.signedIn({ viewport }));
      await other.goto(`${here.address}/`);
      await other.locator('.list').waitFor();
      await startTask(other, 'seq 1 100; read; exit 3', 'pty', `ends ${where}`);
      await isLive(other);
      await shows(other, '100');
      const before = await lookOf(other);
      await other.locator('.screen').click();
      await other.keyboard.press('Enter');
      await other.locator('.end', { hasText: 'Failed with exit code 3' }).waitFor();
      await isComplete(other);
      assert.equal(await lookOf(other), before);
      await other.context().close();
    });
  }

  await here.fact('the record names who did what, and links to each place', async () => {
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.getByText('Typed hello there⏎').waitFor();
    const asked = page.locator('.timeline li', { hasText: 'Stop requested' });
    await asked.locator('.seq').click();
    await page.locator('.timeline li.marked', { hasText: 'Stop requested' }).waitFor();
    await page.reload();
    await page.locator('.timeline li.marked', { hasText: 'Stop requested' }).waitFor();
  });

  await here.fact('its files and its recording can be downloaded', async () => {
    await page.getByRole('link', { name: 'Files' }).click();
    const card = (name) => page.locator('.files li', { hasText: name });
    for (const [name, begin] of [
      ['terminal', 'hello there'],
      ['recording', '{"version": 3'],
    ]) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        card(name).getByRole('link', { name: 'Download' }).click(),
      ]);
      const content = await readFile(await download.path(), 'utf8');
      assert.ok(content.startsWith(begin), content.slice(0, 200));
    }
  });

  await here.fact('inverse text has enough contrast in light and dark, also faint, black and white', async () => {
    await startTask(page, String.raw`printf '\033[7minverse\033[0m \033[7;1mbold\033[0m \033[7;2mfaint\033[0m \033[7;30mblack\033[0m \033[7;37mwhite\033[0m\n'; cat`, 'pty', 'inverse');
    await shows(page, 'white');
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      for (const [words, least] of [['inverse', 12], ['bold', 12], ['faint', 4.5], ['black', 4.5], ['white', 4.5]]) {
        await page.waitForFunction(contrasts, [words, least]);
      }
    }
    await page.emulateMedia({ colorScheme: null });
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
  });

  await here.fact('the progress of a stop is shown, up to KILL when TERM is ignored', async () => {
    await startTask(page, "trap '' TERM; echo deaf; while :; do sleep 1; done", 'pty', 'deaf');
    await shows(page, 'deaf');
    const said = await hears(page, '.stop');
    await stopTask(page);
    await page.locator('.end', { hasText: /^Stopped after \d+ s\. Did not react to TERM, killed after 5 s\.$/ }).waitFor();
    await page.locator('.title .state', { hasText: /^Killed$/ }).waitFor();
    await page.locator('.stop').waitFor({ state: 'hidden' });
    const seconds = (await said()).flatMap((words) => /^Kill in (\d) s$/.exec(words)?.[1] ?? []).map(Number);
    assert.ok(seconds[0] <= 5 && seconds.length > 1, `it said: ${await said()}`);
    assert.deepEqual(seconds, [...seconds].sort((one, other) => other - one));
  });
}

/** Runs in the page: whether this text of a terminal has enough contrast, as WCAG defines it. */
function contrasts([words, least]) {
  const span = [...document.querySelectorAll('.xterm-rows span')].find((each) => each.textContent === words);
  if (span === undefined) return false;
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).map((each) => (each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const { color, backgroundColor } = getComputedStyle(span);
  const [one, other] = [light(color), light(backgroundColor)];
  return Math.max(one, other) / Math.min(one, other) >= least;
}

/** The appearance of a settled terminal: place, size, letters. */
async function lookOf(page) {
  await drawn(page); // by then it knows its room
  await isSettled(page);
  return page.evaluate(() => {
    const places = ['.screen', '.xterm-screen'].map((each) => document.querySelector(each).getBoundingClientRect());
    return [
      ...places.map(({ top, width, height }) => [top, width, height].map(Math.round).join(' ')),
      getComputedStyle(document.querySelector('.xterm-rows')).fontSize,
      document.querySelector('.screen').className,
    ].join(', ');
  });
}
