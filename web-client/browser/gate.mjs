// Holds a command until the fact that started it opens the gate: a named pipe that both open.
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
    gate.#pipe = await open(gate.path, 'r+'); // opened only for writing, it would wait for a reader
    return gate;
  }

  get path() {
    return join(this.#folder, 'pipe');
  }

  /** The shell command that waits. */
  get waits() {
    return `read -r <'${this.path}'`;
  }

  /** A shell loop that repeats a command until the gate opens, sleeping these seconds: `read -t` sometimes kills bash by its own alarm. */
  repeats(seconds, what) {
    return `exec 9<>'${this.path}'; until read -t 0 -u 9; do ${what}; sleep ${seconds}; done`;
  }

  /** Releases one waiting command, now or later. */
  async open() {
    await this.#pipe.write('\n');
  }

  async close() {
    await this.#pipe.close();
    await rm(this.#folder, { recursive: true });
  }
}
