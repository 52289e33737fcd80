// Several viewers of one terminal, in windows of different sizes.
import assert from 'node:assert/strict';
import { startTask } from '../chromium.mjs';
import { drawn, isLive, isSettled, shows } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const wide = await here.pageOf(await here.signedIn());
  const small = await here.pageOf(await here.signedIn({ viewport: { width: 800, height: 600 } }));
  const size = (page) => page.getByRole('toolbar', { name: 'Terminal' }).locator('.size');
  const is = (page, words) => size(page).and(page.locator(`:text-is("${words}")`)).waitFor();
  const [cols, rows] = [0, 1];
  const numbers = async (page) => (await size(page).innerText()).match(/\d+/g).map(Number);
  const palette = async (page, words) => {
    await page.locator('.screen').click();
    await page.keyboard.press('Control+Shift+k');
    await page.keyboard.type(words);
    await page.getByRole('option', { selected: true, name: words }).waitFor();
    await page.keyboard.press('Enter');
  };
  const isFinal = async (page) => {
    await drawn(page); // by then it knows its room
    await isSettled(page);
  };
  /** Whether all of the terminal is visible. */
  const isWhole = (page) =>
    page.waitForFunction(() => {
      const [place, terminal] = ['.screen', '.xterm-screen'].map((each) =>
        document.querySelector(each).getBoundingClientRect(),
      );
      return terminal.right <= place.right && terminal.bottom <= place.bottom;
    });

  await here.fact('the size policy of a terminal is shown, and chosen with the keyboard', async () => {
    await wide.goto(`${here.address}/`);
    // Not a shell: bash ignores some Ctrl-C that arrive just when a command in a trap ends.
    const sizes = 'const show = () => console.log(process.stdout.rows + " " + process.stdout.columns); process.stdout.on("resize", show); show(); setInterval(show, 2 ** 30)';
    await startTask(wide, `stty -echo; exec node -e '${sizes}'`, 'pty', 'sizes');
    await isLive(wide);
    await isSettled(wide);
    const large = await size(wide).innerText();
    await small.goto(wide.url());
    await isLive(small);
    await wide.locator('.screen.framed').waitFor(); // the small window acted last
    await isSettled(small);
    const little = await size(small).innerText();
    assert.notEqual(little, large);
    await is(wide, little);
    await isWhole(wide);

    await palette(wide, 'Terminal size: leader');
    await is(wide, `${large} · leader`);
    await is(small, `${large} · leader`);
    await wide.locator('.screen:not(.framed)').waitFor();
    await isWhole(small); // with smaller letters
    await small.setViewportSize({ width: 300, height: 320 });
    await small.locator('.screen.exceeds').waitFor(); // smaller letters would be unreadable
    await isFinal(small);
    await small.locator('.screen').evaluate((place) => place.scrollTo(9999, 9999));
    await isWhole(small);
    await small.setViewportSize({ width: 800, height: 600 });
    await small.locator('.screen:not(.exceeds)').waitFor();
    const [height, width] = [(await numbers(wide))[rows], (await numbers(wide))[cols]];
    await shows(small, `${height} ${width}`); // the program knows it too

    // The other viewer is the leader now, chosen in the panel.
    await size(small).focus();
    await small.keyboard.press('Enter');
    const panel = small.getByRole('dialog', { name: 'Viewers' });
    await panel.getByText('can type, leads').waitFor();
    assert.ok(await panel.getByLabel('Leader').isChecked());
    await panel.getByText('leads. Choose Leader again').waitFor();
    await panel.getByLabel('Leader').click();
    await panel.getByText('You lead.').waitFor();
    await is(wide, `${little} · leader`);
    assert.equal(await panel.locator('li').count(), 2);
    await panel.locator('li', { hasText: `, you` }).getByText(little).waitFor();
    await small.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });

    await palette(wide, 'Terminal size: fixed');
    await is(small, `${little} · fixed`);
    await small.setViewportSize({ width: 560, height: 520 });
    await palette(wide, 'Terminal size: smallest');
    await size(small).and(small.getByText('smallest')).waitFor();
    await small.waitForFunction((before) => !document.querySelector('.size').textContent.startsWith(before), little);
    await isFinal(small); // longer words may leave less room
    const least = await numbers(small);
    assert.ok(least[cols] < (await little.match(/\d+/g))[0], `${least}`);
    await is(wide, `${least[cols]} × ${least[rows]} · smallest`);
  });

  await here.fact('when a viewer leaves, the size of the others counts', async () => {
    await small.goto('about:blank');
    await wide.locator('.screen:not(.framed)').waitFor();
    await wide.locator('.others').waitFor({ state: 'hidden' });
    await palette(wide, 'Terminal size: latest');
    await wide.waitForFunction(() => !document.querySelector('.size').textContent.includes('smallest'));
  });

  await here.fact('a read-only viewer types nothing, and is shown as read-only', async () => {
    await small.goto(wide.url());
    await isLive(small);
    await palette(small, 'Turn off typing');
    await wide.locator('.others').click();
    await wide.getByRole('dialog', { name: 'Viewers' }).getByText('read-only', { exact: true }).waitFor();
    await wide.keyboard.press('Escape');
    await isLive(small);
    await small.reload();
    await isLive(small);
    await small.getByText('Read-only: typing is off.').waitFor();
    await small.locator('.screen').click();
    await small.keyboard.press('Control+c');
    await small.getByRole('button', { name: 'Turn on typing' }).click();
    await small.getByText('Read-only: typing').waitFor({ state: 'hidden' });
    await isLive(small);
    await small.keyboard.press('Control+c');
    await wide.locator('.end', { hasText: 'Killed by SIGINT' }).waitFor();
    // Keys pressed in the read-only window were not sent later either.
    await wide.getByRole('link', { name: 'Timeline' }).click();
    await wide.getByText('Typed 1 byte').waitFor();
    assert.equal(await wide.locator('.timeline li', { hasText: /Typed/ }).count(), 1);
    await wide.context().close();
    await small.context().close();
  });
}
