// A proxy of the server whose connections can be cut, as by a network.
import net from 'node:net';

export class Proxy {
  #server;
  #sockets = new Set();
  #webSockets = new Set();
  #open = true;

  /** Forwards to the server at this address from an address of its own. */
  static async to(address) {
    const { hostname, port } = new URL(address);
    const proxy = new Proxy();
    proxy.#server = net.createServer((near) => {
      if (!proxy.#open) {
        near.resetAndDestroy();
        return;
      }
      const far = net.connect(Number(port), hostname);
      for (const [from, into] of [
        [near, far],
        [far, near],
      ]) {
        proxy.#sockets.add(from);
        from.once('data', (begin) => /^upgrade: websocket/im.test(String(begin)) && proxy.#webSockets.add([near, far]));
        from.on('error', () => undefined).on('close', () => (proxy.#sockets.delete(from), into.destroy()));
        from.pipe(into);
      }
    });
    await new Promise((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    proxy.address = `http://127.0.0.1:${proxy.#server.address().port}`;
    return proxy;
  }

  /** Breaks all connections, in any state. */
  cut() {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Open WebSockets stay open, but pass nothing on: as after a laptop has slept. */
  freeze() {
    for (const [near, far] of this.#webSockets) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
    this.#webSockets.clear();
  }

  /** As if the cable were pulled, until `join`. */
  pull() {
    this.#open = false;
    this.cut();
  }

  join() {
    this.#open = true;
  }

  close() {
    this.#server.close();
    this.pull();
  }
}
