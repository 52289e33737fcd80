// Uses of a terminal: links, selections, font sizes, other scripts, and screen readers.
import assert from 'node:assert/strict';
import { startTask, stopTask } from '../chromium.mjs';
import { copied, isLive, isSettled, shows, text } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());
  const palette = async (words) => {
    await page.keyboard.press('Control+Shift+k');
    await page.keyboard.type(words);
    await page.getByRole('option', { selected: true, name: words }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Palette' }).waitFor({ state: 'detached' });
  };
  /** The place of a text on the screen, to point at. */
  const place = (words) =>
    page.evaluate((wanted) => {
      const row = [...document.querySelectorAll('.xterm-rows > div')].findLast((each) =>
        each.textContent.replaceAll('\u00a0', ' ').includes(wanted),
      );
      const { left, top, height } = row.getBoundingClientRect();
      const screen = document.querySelector('.xterm-screen').getBoundingClientRect();
      const [cols] = document.querySelector('.size').textContent.split(' ').map(Number);
      const at = row.textContent.replaceAll('\u00a0', ' ').indexOf(wanted);
      return { x: left + ((at + 1.5) * screen.width) / cols, y: top + height / 2 };
    }, words);
  const point = async (words) => {
    const { x, y } = await place(words);
    await page.mouse.move(x - 3, y);
    await page.mouse.move(x, y);
    return { x, y };
  };

  const isClear = () => page.waitForFunction(() => document.querySelector('.xterm-selection div') === null);

  await here.fact('links open, after a question if their text hides their target', async () => {
    await page.goto(`${here.address}/`);
    const hidden = String.raw`\033]8;;${here.address}/readyz\033\\elsewhere\033]8;;\033\\`;
    const command = `printf 'see ${here.address}/healthz now\n'; read -r; printf '${hidden}\nword other\n'; cat`;
    await startTask(page, command, 'pty', 'hands');
    await isLive(page);
    await shows(page, 'see http');
    await page.keyboard.press('Enter');
    await shows(page, 'word other');
    await isSettled(page);
    const opened = async (act) => {
      const [other] = await Promise.all([page.context().waitForEvent('page'), act()]);
      await other.waitForURL(/z$/);
      const url = other.url();
      await other.close();
      return new URL(url).pathname;
    };
    const { x, y } = await point('/healthz');
    await page.locator('.xterm-cursor-pointer').waitFor();
    assert.equal(await opened(() => page.mouse.click(x, y)), '/healthz');
    const link = await point('elsewhere');
    await page.locator('.xterm-cursor-pointer').waitFor();
    await page.mouse.click(link.x, link.y);
    const asked = page.getByRole('dialog', { name: 'Open this link?' });
    await asked.getByText('/readyz').waitFor();
    assert.equal(await opened(() => asked.getByRole('button', { name: 'Open' }).click()), '/readyz');
  });

  await here.fact('a selection is copied and cleared', async () => {
    const word = await point('word');
    await page.mouse.dblclick(word.x, word.y);
    await page.locator('.xterm-selection div').first().waitFor();
    assert.equal(await copied(page, () => page.keyboard.press('Control+Shift+c')), 'word');
    await isClear();
    await page.mouse.dblclick(word.x, word.y);
    await page.locator('.xterm-selection div').first().waitFor();
    await palette('Clear the selection');
    await isClear();
    await page.keyboard.press('Control+Shift+v');
    await shows(page, 'word', 2);
    await page.getByRole('button', { name: 'Paste' }).click();
    await shows(page, 'wordword');
    await page.keyboard.type('\n');
  });

  await here.fact('a larger font has fewer columns and rows, a smaller one more', async () => {
    const size = page.locator('.size');
    await isSettled(page);
    const before = await size.innerText();
    await page.keyboard.press('Control+=');
    await page.waitForFunction((old) => parseInt(document.querySelector('.size').textContent) < parseInt(old), before);
    await page.keyboard.press('Control+-');
    await size.and(page.locator(`:text-is("${before}")`)).waitFor();
    await page.keyboard.press('Control+-');
    await page.waitForFunction((old) => parseInt(document.querySelector('.size').textContent) > parseInt(old), before);
    await page.keyboard.press('Control+0');
    await size.and(page.locator(`:text-is("${before}")`)).waitFor();
  });

  await here.fact('composed and right-to-left text is typed once, when it is complete', async () => {
    await page.locator('.screen').click();
    // The events of an input method; a headless browser does not always pass on those of a real one.
    const compose = (type, data) =>
      page.locator('.xterm-helper-textarea').evaluate(
        (field, event) => {
          field.value = event.data;
          field.dispatchEvent(new CompositionEvent(event.type, { data: event.data, bubbles: true }));
        },
        { type, data },
      );
    await compose('compositionstart', '');
    await compose('compositionupdate', 'にほ');
    await page.locator('.composition-view.active', { hasText: 'にほ' }).waitFor();
    assert.ok(!(await page.locator('.xterm-rows').innerText()).includes('にほ'));
    await compose('compositionupdate', '日本');
    await compose('compositionend', '日本');
    await shows(page, '日本');
    await page.keyboard.insertText('é שלום'); // é by a dead key, which the browser sends as one character
    await page.keyboard.type(' fin\n');
    await shows(page, 'fin', 2);
    const line = (await text(page)).split('\n').filter((each) => each.includes('fin'));
    assert.deepEqual([...line[0]].sort().join('').trim(), [...'日本é שלום fin'].sort().join('').trim());
    assert.ok(line[0].startsWith('日本é'), line[0]);
  });

  await here.fact('screen reader mode announces the output', async () => {
    assert.equal(await page.locator('.xterm-accessibility').count(), 0);
    await palette('Turn on screen reader mode');
    await page.locator('.xterm-accessibility [role=listitem]', { hasText: 'word other' }).first().waitFor();
    await page.locator('.screen').click();
    await page.keyboard.type('spoken\n'); // the output of cat; a screen reader speaks the keys by itself
    await page.locator('.xterm-accessibility .live-region', { hasText: 'spoken' }).waitFor({ state: 'attached' });
    await palette('Turn off screen reader mode');
    await page.locator('.xterm-accessibility').waitFor({ state: 'detached' });
  });

  await here.fact('keys that browsers reserve are sent from the palette', async () => {
    await page.keyboard.type('mistaken');
    await palette('Send Ctrl+W'); // deletes the word
    await page.keyboard.type('written\n');
    await shows(page, 'written', 2);
    assert.ok(!(await text(page)).includes('mistaken'));
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await page.context().close();
  });
}
