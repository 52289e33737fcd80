/** As much of a WebSocket as is needed. */
export interface Socket {
  binaryType: string;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(bytes: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

/** What the world gives an attachment, so that a test can be the world. */
export interface Surroundings {
  open(url: string, subprotocol: string): Socket;
  later(act: () => void, ms: number): () => void;
  chance(): number;
}

/** The browser as the world. */
export const BROWSER: Surroundings = {
  open: (path, subprotocol) => {
    const url = new URL(path, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return new WebSocket(url, subprotocol) as unknown as Socket;
  },
  later: (act, ms) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  chance: Math.random,
};
