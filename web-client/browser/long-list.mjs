// Measures how a long list scrolls: `node browser/long-list.mjs ADDRESS TOKEN_FILE [TASKS]`, beside a server that may be filled with tasks.
import { readFileSync } from 'node:fs';
import { launch, linkOf } from './chromium.mjs';
import { longestTask } from './ground.mjs';

const [address = 'http://127.0.0.1:7341', tokenFile = '', count = '10000'] = process.argv.slice(2);
const STEP_PX = 600;

const headers = { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`, 'content-type': 'application/json' };
const listed = async () => (await (await fetch(`${address}/tasks/counts?label=long-list`, { headers })).json()).all;
for (let there = await listed(); there < Number(count); there += 50) {
  const body = (i) => JSON.stringify({ tool: 'exec', title: `one of many, number ${there + i}`, label: 'long-list', args: { argv: ['echo', 'a line'] } });
  await Promise.all(Array.from({ length: 50 }, (_, i) => fetch(`${address}/tasks`, { method: 'POST', headers, body: body(i) })));
}

const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(linkOf(address, tokenFile));
  await page.locator('.list').waitFor();
  await page.goto(`${address}/#/tasks?label=long-list`);
  await page.locator('.rows li').nth(49).waitFor();
  const loading = await longestTask(page, () =>
    page.evaluate(async (rows) => {
      const frame = () => new Promise(requestAnimationFrame);
      const known = () => [...document.querySelectorAll('.rows ol')].length * 50;
      while (known() < rows && !document.querySelector('.more').hidden) {
        scrollTo(0, document.documentElement.scrollHeight);
        await frame();
      }
    }, Number(count)),
  );
  let frames = [];
  const scrolling = await longestTask(page, async () => {
    frames = await page.evaluate(async (step) => {
      const frame = () => new Promise(requestAnimationFrame);
      const times = [];
      scrollTo(0, 0);
      await frame();
      let before = await frame();
      for (let y = 0; y < document.documentElement.scrollHeight - innerHeight && times.length < 1_000; y += step) {
        scrollTo(0, y);
        const now = await frame();
        times.push(now - before);
        before = now;
      }
      return times;
    }, STEP_PX);
  });
  frames.sort((a, b) => a - b);
  const at = (share) => Math.round(frames[Math.min(frames.length - 1, Math.floor(share * frames.length))]);
  console.log(`loaded to the end: longest task ${loading.most} ms`);
  console.log(`scrolled ${frames.length} steps of ${STEP_PX} px: frames ${at(0.5)} ms (half), ${at(0.99)} ms (99 of 100), ${at(1)} ms (all); longest task ${scrolling.most} ms`);
} finally {
  await browser.close();
}
