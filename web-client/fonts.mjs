// Makes the two fonts of the pages from npm packages: only the characters, weights and features that the pages use.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subset from 'subset-font';

const FOLDER = join(import.meta.dirname, 'target/fonts');
const { resolve } = createRequire(import.meta.url);

/** Latin as western Europe writes it, and the marks of the pages; other scripts use a font of the reader's machine. */
const TEXT = ['20-7e', 'a0-ff', '2010-2027', '2030-203a', '20ac', '2122', '2190-2193', '2212'];
/** What programs draw with, too: arrows, mathematics, boxes and blocks, and the powerline glyphs of prompts. */
const TERMINAL = [...TEXT, '2190-21ff', '2200-22ff', '2387', '23ce', '2500-25ff', '276f', 'e0a0-e0a2', 'e0b0-e0b3'];
const WEIGHTS = { wght: { min: 400, max: 700, default: 400 } };

const FONTS = [
  { name: 'text', source: '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2', characters: TEXT, features: ['kern', 'ccmp', 'tnum'] },
  { name: 'mono', source: 'firacode/distr/variable_ttf/FiraCode-VF.ttf', characters: TERMINAL, features: ['ccmp'] }, // without ligatures
];
/** The licences of both fonts, which the server sends with them. */
const LICENCES = [
  ['Inter, the font of texts', '@fontsource-variable/inter/LICENSE'],
  ['Fira Code, the font of terminals and code', 'firacode/LICENSE'],
];

/** Makes the fonts that are not there yet, or were made by another version of this file or of the packages. */
export async function makeFonts() {
  const hash = createHash('sha256');
  for (const file of [import.meta.filename, ...FONTS.map(({ source }) => resolve(source))]) hash.update(readFileSync(file));
  const made = hash.digest('hex');
  const record = join(FOLDER, 'made-from');
  if (existsSync(record) && readFileSync(record, 'utf8') === made) return;
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, source, characters, features } of FONTS) {
    const font = await subset(readFileSync(resolve(source)), textOf(characters), {
      targetFormat: 'woff2',
      variationAxes: WEIGHTS,
      keepFeatures: features,
      noHinting: true,
    });
    writeFileSync(join(FOLDER, `${name}.woff2`), font);
  }
  writeFileSync(record, made);
}

export function licences() {
  return LICENCES.map(([what, file]) => `${what}\n\n${readFileSync(resolve(file), 'utf8').trim()}\n`).join('\n\n');
}

function textOf(ranges) {
  return ranges
    .flatMap((range) => {
      const [first, last = first] = range.split('-').map((hex) => parseInt(hex, 16));
      return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));
    })
    .join('');
}
