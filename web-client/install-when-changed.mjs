// `npm ci`, unless node_modules already matches package.json and package-lock.json: it costs seconds in every build.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

process.chdir(import.meta.dirname);

// The versions of node and of the machine count too: some packages bring native code.
const wanted = [process.version, process.platform, process.arch, ...['package.json', 'package-lock.json', '.npmrc'].map(
  (file) => readFileSync(file, 'utf8'))].join('\n');
const record = 'node_modules/.installed-for';

if (!existsSync(record) || readFileSync(record, 'utf8') !== wanted) {
  const { status, error } = spawnSync('npm', ['ci'], { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(record, wanted);
}
