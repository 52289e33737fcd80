import type { Channel } from '../frames/frames';

/** How far each channel's output has been shown. */
export class Shown {
  readonly #ends = new Map<Channel, number>();

  has(channel: Channel): boolean {
    return this.#ends.has(channel);
  }

  /** The bytes of this piece that have not been shown yet: after a reconnect, a piece that was cut arrives again as a whole. */
  fresh(channel: Channel, offset: number, bytes: Uint8Array): Uint8Array {
    const end = this.#ends.get(channel) ?? offset;
    this.#ends.set(channel, Math.max(end, offset + bytes.length));
    return bytes.subarray(Math.min(bytes.length, Math.max(0, end - offset)));
  }

  /** How many bytes of the shown channels have not been shown, given the size of each channel. */
  behind(written: ReadonlyMap<Channel, number>): number {
    return [...this.#ends].reduce((sum, [channel, end]) => sum + Math.max(0, (written.get(channel) ?? 0) - end), 0);
  }

  /** Nothing counts as shown, since the view starts again. */
  forget(): void {
    this.#ends.clear();
  }
}
