// What xterm.js makes of recorded programs, for GoldenScreensTest: node golden.mjs RECORDING... in a folder with
// @xterm/headless 6.0.0 and @xterm/addon-unicode11 0.9.0 installed. A recording is what a program wrote to 24 by 80.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(process.cwd() + '/');
const { Terminal } = require('@xterm/headless');
const { Unicode11Addon } = require('@xterm/addon-unicode11');

const PLACES = 12;
for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file);
  const golden = { rows: 24, cols: 80, scrollback: 50, bytes_b64: bytes.toString('base64'), screens: [] };
  for (let place = 1; place <= PLACES; place++) {
    const after = Math.floor((bytes.length * place) / PLACES);
    const terminal = new Terminal({ rows: 24, cols: 80, scrollback: 50, allowProposedApi: true, logLevel: 'off' });
    terminal.loadAddon(new Unicode11Addon());
    terminal.unicode.activeVersion = '11';
    await new Promise((done) => terminal.write(bytes.subarray(0, after), done));
    const [rows, cols] = place % 3 === 1 ? [30, place % 2 ? 100 : 60] : place % 3 === 2 ? [18, 80] : [24, 80];
    terminal.resize(cols, rows);
    const shown = terminal.buffer.active;
    const lines = [];
    for (let i = shown.type === 'alternate' ? shown.baseY : 0; i < shown.length; i++) {
      lines.push(shown.getLine(i).translateToString(true, 0, cols).replace(/ +$/, ''));
    }
    while (lines.at(-1) === '') lines.pop();
    golden.screens.push({
      after_bytes: after, rows, cols, row: shown.cursorY, col: Math.min(shown.cursorX, cols - 1),
      alternate: shown.type === 'alternate', bracketed_paste: terminal.modes.bracketedPasteMode, lines,
    });
  }
  writeFileSync(file + '.json', JSON.stringify(golden, null, 1) + '\n');
}
