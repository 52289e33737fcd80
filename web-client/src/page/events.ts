/** Parses server-sent events from text that arrives in pieces, cut anywhere. */

export interface Event {
  readonly id: string;
  readonly data: string;
}

export class EventReader {
  #rest = '';

  /** The events that are complete after this piece. */
  read(piece: string): Event[] {
    const blocks = (this.#rest + piece).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.map(eventOf).filter((event) => event.data !== '');
  }
}

function eventOf(block: string): Event {
  let id = '';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (name === 'id') id = value ?? '';
    if (name === 'data') data.push(value ?? '');
  }
  return { id, data: data.join('\n') };
}
