import { defineConfig } from 'vitest/config';

export default defineConfig({
  build: {
    outDir: 'target/classes/web', // where Maven makes the jar from; the server finds the pages as its resources under web/
    emptyOutDir: true,
    target: 'es2023',
    rolldownOptions: { input: ['index.html', 'docs.html'] }, // each page; the server gives docs.html at /docs
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600, // xterm.js is one piece; the browser test measures what is loaded
  },
  server: {
    proxy: { '^/(healthz|readyz|metrics|session|tasks|artifacts|openapi\\.json)': { target: 'http://127.0.0.1:7341', ws: true } }, // `npm run dev` beside a running `./penstock up`
  },
  test: {
    include: ['src/**/*.test.ts'],
    reporters: ['default', 'junit'],
    outputFile: { junit: 'target/test-reports/vitest.xml' }, // `./penstock test` counts what it says
  },
});
