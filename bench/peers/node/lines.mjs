// A server of JSON lines as one writes it without a framework: it parses each line, answers it with the same id, and sends {"events": N} to all connections.
import net from 'node:net';

const sockets = new Set();
const server = net.createServer({ noDelay: true }, (socket) => {
  let rest = '';
  sockets.add(socket);
  socket.setEncoding('utf8');
  socket.on('error', () => socket.destroy());
  socket.on('close', () => sockets.delete(socket));
  socket.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const request = JSON.parse(line);
      socket.write(JSON.stringify({ id: request.id, ok: true, result: {} }) + '\n');
      send(request.payload.events ?? 0);
    }
  });
});

/** As many events as there is room for in one turn of the event loop. */
function send(left) {
  for (let turn = 0; turn < 100 && left > 0; turn++, left--) {
    const event = { type: 'event', event: left > 1 ? 'agent_output' : 'agent_end', timestamp: new Date().toISOString(), taskId: 'bench', payload: { promptId: 'p', chunk: 'x', kind: 'tool' } };
    const line = JSON.stringify(event) + '\n';
    for (const socket of sockets) socket.write(line);
  }
  if (left > 0) setImmediate(send, left);
}

server.listen(0, '127.0.0.1', () => console.log(`ready at http://127.0.0.1:${server.address().port}`));
