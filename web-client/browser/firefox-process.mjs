#!/usr/bin/env node
// Debian's Firefox as playwright-core wants to start one: over WebDriver BiDi. A command that this Firefox does not know yet is answered as
// if it had been carried out; they are about downloads and the bodies of responses, which the facts for Firefox do not need.
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';

const FIREFOX = process.env.PENSTOCK_FIREFOX ?? '/usr/bin/firefox-esr';

const firefox = spawn(FIREFOX, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] });
let said = '';
firefox.stderr.on('data', (bytes) => {
  said += bytes;
  const [line, port] = /WebDriver BiDi listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? [];
  if (line === undefined) return;
  said = '';
  const server = createServer((socket) => join(socket, Number(port)));
  server.listen(0, '127.0.0.1', () => console.error(line.replace(port, String(server.address().port))));
});
firefox.on('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => firefox.kill(signal));

/** Passes everything on, but answers that a command is unknown are made answers that it succeeded. */
function join(near, port) {
  const far = connect(port, '127.0.0.1');
  near.once('data', (head) => {
    // Compressed messages could not be read here, and the port must be the one that Firefox listens at.
    const request = head.toString('latin1').replace(/Sec-WebSocket-Extensions:.*\r\n/i, '').replace(/Host: .*\r\n/i, `Host: 127.0.0.1:${port}\r\n`);
    far.write(request, 'latin1');
    near.pipe(far);
  });
  let pending = Buffer.alloc(0);
  let isOpen = false;
  far.on('data', (bytes) => {
    pending = Buffer.concat([pending, bytes]);
    if (!isOpen) {
      const end = pending.indexOf('\r\n\r\n');
      if (end < 0) return;
      isOpen = true;
      near.write(pending.subarray(0, end + 4));
      pending = pending.subarray(end + 4);
    }
    for (let frame = firstFrame(pending); frame !== null; frame = firstFrame(pending)) {
      near.write(Buffer.concat([frame.head, answered(frame.payload)]));
      pending = pending.subarray(frame.head.length + frame.payload.length);
    }
  });
  for (const [one, other] of [[near, far], [far, near]]) one.on('close', () => other.destroy()).on('error', () => other.destroy());
}

/** The first frame of a server, which is not masked; null if it is not whole. */
function firstFrame(bytes) {
  if (bytes.length < 2) return null;
  const short = bytes[1] & 127;
  const begin = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < begin) return null;
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < begin + length) return null;
  return { head: bytes.subarray(0, begin), payload: bytes.subarray(begin, begin + length) };
}

/** The same number of bytes. */
function answered(payload) {
  if (!payload.includes('"unknown command"')) return payload;
  const { type, id, error } = JSON.parse(payload.toString());
  if (type !== 'error' || error !== 'unknown command') return payload;
  return Buffer.from(JSON.stringify({ type: 'success', id, result: {} }).padEnd(payload.length));
}
