/** The part of WebSocket that an attachment uses. */
export interface Socket {
  binaryType: string;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(bytes: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

/** The outside world of an attachment, which a test can replace. */
export interface Surroundings {
  open(url: string, subprotocol: string): Socket;
  later(act: () => void, ms: number): () => void;
  chance(): number;
}

/** The browser's implementation. */
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
