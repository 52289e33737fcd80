// The server that a user would write in an afternoon: programs as tasks, their output to whoever listens. It records nothing: a
// viewer who comes late sees what is still in memory. It answers the few requests that `./penstock load` makes, so that both are
// asked the same by the same client.
//
//   node server.mjs [PORT [FOLDER]]   then: ./penstock load --url http://127.0.0.1:PORT
//
// Files of the folder are at /files/NAME, whole or by one range. After `npm ci` here, programs run in terminals too
// (`execution_mode` "pty", by node-pty), and a task's frames are also to be had over a WebSocket at /tasks/ID/attach (by ws); at
// /tasks/ID/bytes, what it writes, as binary messages, and what is sent there is typed. Of a task that is looked at in that way no
// frames are made.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';

// Only what has been installed: the rest needs nothing but node.
const optional = (name) => import(name).catch(() => null);
const pty = await optional('node-pty');
const ws = await optional('ws');

// Frames of each task.
const REMEMBERED = 10_000;

const tasks = new Map();
const folder = process.argv[3] ?? '.';

function begin(tool, args, mode) {
  const id = randomUUID();
  const offset = { stdout: 0, stderr: 0, pty: 0 };
  const task = { id, frames: [], offset, viewers: new Set(), sockets: new Set(), terminals: new Set(), ended: false, waiting: [] };
  tasks.set(id, task);
  tell(task, { type: 'tool_task_spawned' });
  const [program, ...words] = tool === 'exec' ? args.argv : ['/bin/bash', '-c', args.command];
  if (mode === 'pty') {
    const child = pty.spawn(program, words, { encoding: null });
    task.type = (bytes) => child.write(bytes);
    task.kill = () => child.kill('SIGKILL');
    child.onData((bytes) => output(task, 'pty', bytes));
    child.onExit(({ exitCode }) => end(task, exitCode));
  } else {
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    task.kill = () => child.kill('SIGKILL');
    for (const stream of ['stdout', 'stderr']) child[stream].on('data', (bytes) => output(task, stream, bytes));
    child.on('close', (code) => end(task, code));
  }
  return task;
}

function output(task, stream, bytes) {
  const offset = task.offset[stream];
  task.offset[stream] += bytes.length;
  for (const terminal of task.terminals) terminal.send(bytes);
  if (task.terminals.size > 0) return;
  // As much text in a frame as Penstock puts into one.
  const chunk = bytes.subarray(0, 8192).toString('utf8');
  tell(task, {
    type: 'tool_task_output_delta',
    stream,
    chunk,
    artifacts: { log: { offset_bytes: offset, bytes: bytes.length } },
  });
}

function end(task, code) {
  tell(task, { type: 'tool_task_status', status: 'exited', exit_code: code });
  task.ended = true;
  task.exitCode = code;
  for (const viewer of task.viewers) viewer.end();
  for (const socket of [...task.sockets, ...task.terminals]) socket.close();
  for (const answer of task.waiting) answer();
}

function tell(task, body) {
  const seq = task.frames.length;
  const frame = JSON.stringify({ stream_id: task.id, timestamp_ms: Date.now(), seq, ...body });
  task.frames.push(frame);
  // Or a flood that nobody looks at fills its memory within seconds.
  if (seq >= REMEMBERED) task.frames[seq - REMEMBERED] = null;
  for (const viewer of task.viewers) viewer.write(event(seq, frame));
  for (const socket of task.sockets) socket.send(frame);
}

const event = (seq, frame) => `id: ${seq}\ndata: ${frame}\n\n`;

function file(request, response, name) {
  const path = join(folder, basename(name));
  const size = statSync(path).size;
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const start = first === undefined ? 0 : Number(first);
  const end = last ? Math.min(Number(last), size - 1) : size - 1;
  response.writeHead(first === undefined ? 200 : 206, {
    'content-type': 'application/octet-stream',
    'content-length': end - start + 1,
    ...(first !== undefined && { 'content-range': `bytes ${start}-${end}/${size}` }),
  });
  createReadStream(path, { start, end }).pipe(response);
}

function json(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const [, , id, what] = url.pathname.split('/');
  if (request.method === 'POST' && url.pathname === '/tasks') {
    let body = '';
    request.on('data', (more) => (body += more));
    request.on('end', () => {
      const { tool, args, execution_mode: mode } = JSON.parse(body);
      if (mode === 'pty' && !pty) return json(response, 501, { error: 'node-pty is not installed: run npm ci' });
      json(response, 201, { task_id: begin(tool, args, mode).id });
    });
    return;
  }
  if (url.pathname.startsWith('/files/')) return file(request, response, id);
  const task = tasks.get(id);
  if (!task) return json(response, 404, { error: 'there is no such task' });
  if (what === 'events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    task.frames.forEach((frame, seq) => frame && response.write(event(seq, frame)));
    if (task.ended) return response.end();
    task.viewers.add(response);
    response.on('close', () => task.viewers.delete(response));
    return;
  }
  if (what === 'cancel') {
    task.kill();
    return json(response, 200, {});
  }
  const state = () => json(response, 200, { task_id: id, next_seq: task.frames.length, exit_code: task.exitCode });
  if (task.ended) state();
  else task.waiting.push(state);
});

if (ws) {
  const sockets = new ws.WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (request, connection, head) => {
    const [, , id, what] = request.url.split('/');
    const task = tasks.get(id);
    if (!task || !['attach', 'bytes'].includes(what)) return connection.destroy();
    sockets.handleUpgrade(request, connection, head, (socket) => {
      if (what === 'bytes') {
        task.terminals.add(socket);
        socket.on('message', (bytes) => task.type?.(bytes));
        socket.on('close', () => task.terminals.delete(socket));
        return;
      }
      for (const frame of task.frames) if (frame) socket.send(frame);
      if (task.ended) return socket.close();
      task.sockets.add(socket);
      socket.on('close', () => task.sockets.delete(socket));
    });
  });
}

server.listen(Number(process.argv[2] ?? 7350), '127.0.0.1', () => {
  console.log(`ready at http://127.0.0.1:${server.address().port}`);
});
