// Debian's Firefox, for the facts that are not about Chromium only.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { firefox } from 'playwright-core';

const PLACE = process.env.PENSTOCK_FIREFOX ?? '/usr/bin/firefox-esr';

export async function launchFirefox() {
  if (!existsSync(PLACE)) throw new Error(`No Firefox was found at ${PLACE}: install firefox-esr, or say where it is with PENSTOCK_FIREFOX.`);
  return firefox.launch({ channel: 'moz-firefox', executablePath: fileURLToPath(new URL('firefox-process.mjs', import.meta.url)) });
}
