// Lets a command go on when the fact that started it has seen what it wanted to see: a named pipe that both can open.
import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class Gate {
  #folder;
  #pipe;

  static async make() {
    const gate = new Gate();
    gate.#folder = await mkdtemp(join(tmpdir(), 'penstock-gate-'));
    execFileSync('mkfifo', [gate.path]);
    gate.#pipe = await open(gate.path, 'r+'); // for writing alone, it would wait for somebody who reads
    return gate;
  }

  get path() {
    return join(this.#folder, 'pipe');
  }

  /** What a command does to wait. */
  get waits() {
    return `read -r <'${this.path}'`;
  }

  /** What a command repeats until the gate opens, with so many seconds between. They are slept: `read -t` at times kills bash by its own alarm. */
  repeats(seconds, what) {
    return `exec 9<>'${this.path}'; until read -t 0 -u 9; do ${what}; sleep ${seconds}; done`;
  }

  /** For one that waits, now or later. */
  async open() {
    await this.#pipe.write('\n');
  }

  async close() {
    await this.#pipe.close();
    await rm(this.#folder, { recursive: true });
  }
}
