import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { licences, makeFonts } from './fonts.mjs';

/** Makes the fonts before the style sheets are read, and puts their licences beside the pages. */
const fonts: Plugin = {
  name: 'fonts',
  buildStart: async () => (process.env['VITEST'] === undefined ? makeFonts() : undefined),
  writeBundle({ dir = '' }) {
    writeFileSync(join(dir, 'font-licences.txt'), licences());
  },
};

/** Writes a gzipped copy next to each file, which the server sends to clients that accept it. */
const packed: Plugin = {
  name: 'packed',
  apply: 'build',
  writeBundle({ dir = '' }) {
    for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
      if (/\.(html|js|css|txt)$/.test(name))
        writeFileSync(join(dir, `${name}.gz`), gzipSync(readFileSync(join(dir, name)), { level: 9 }));
    }
  },
};

export default defineConfig({
  plugins: [fonts, packed],
  build: {
    outDir: 'target/classes/web', // Maven packs this folder into the jar; the server finds the pages as its resources under web/
    emptyOutDir: true,
    target: 'es2023',
    rolldownOptions: { input: ['index.html', 'docs.html'] }, // each page; the server gives docs.html at /docs
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600, // xterm.js is one chunk; the browser test measures which files are loaded
  },
  server: {
    proxy: { '^/(healthz|readyz|metrics|session|tasks|tools|artifacts|openapi\\.json)': { target: process.env['PENSTOCK'] ?? 'http://127.0.0.1:7341', ws: true } }, // `npm run dev` beside a running `./penstock up`
  },
  test: {
    include: ['src/**/*.test.ts'],
    reporters: ['default', 'junit'],
    outputFile: { junit: 'target/test-reports/vitest.xml' }, // `./penstock test` counts the tests by this report
  },
});
