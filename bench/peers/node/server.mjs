// The server that a user would write in an afternoon: programs as tasks, their output to whoever listens. It records nothing: a
// viewer who comes late sees what is still in memory. It answers the few requests that `./penstock load` makes, so that both are
// asked the same by the same client.
//
//   node server.mjs [PORT]            then: ./penstock load --url http://127.0.0.1:PORT
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const tasks = new Map();

function begin(tool, args) {
  const id = randomUUID();
  const task = { id, frames: [], offset: { stdout: 0, stderr: 0 }, viewers: new Set(), ended: false, waiting: [] };
  tasks.set(id, task);
  tell(task, { type: 'tool_task_spawned' });
  const [program, ...words] = tool === 'exec' ? args.argv : ['/bin/bash', '-c', args.command];
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of ['stdout', 'stderr']) {
    child[stream].on('data', (bytes) => {
      const offset = task.offset[stream];
      task.offset[stream] += bytes.length;
      // As much text in a frame as Penstock puts into one.
      const chunk = bytes.subarray(0, 8192).toString('utf8');
      tell(task, {
        type: 'tool_task_output_delta',
        stream,
        chunk,
        artifacts: { log: { offset_bytes: offset, bytes: bytes.length } },
      });
    });
  }
  child.on('close', (code) => {
    tell(task, { type: 'tool_task_status', status: 'exited', exit_code: code });
    task.ended = true;
    for (const viewer of task.viewers) viewer.end();
    for (const answer of task.waiting) answer();
  });
  return task;
}

function tell(task, body) {
  const seq = task.frames.length;
  const event = `id: ${seq}\ndata: ${JSON.stringify({ stream_id: task.id, timestamp_ms: Date.now(), seq, ...body })}\n\n`;
  task.frames.push(event);
  for (const viewer of task.viewers) viewer.write(event);
}

function json(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const [, , id, what] = url.pathname.split('/');
  if (request.method === 'POST' && url.pathname === '/tasks') {
    let body = '';
    request.on('data', (more) => (body += more));
    request.on('end', () => {
      const { tool, args } = JSON.parse(body);
      json(response, 201, { task_id: begin(tool, args).id });
    });
    return;
  }
  const task = tasks.get(id);
  if (!task) return json(response, 404, { error: 'there is no such task' });
  if (what === 'events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of task.frames) response.write(event);
    if (task.ended) return response.end();
    task.viewers.add(response);
    response.on('close', () => task.viewers.delete(response));
    return;
  }
  const state = () => json(response, 200, { task_id: id, next_seq: task.frames.length });
  if (task.ended) state();
  else task.waiting.push(state);
}).listen(Number(process.argv[2] ?? 7350), '127.0.0.1', function () {
  console.log(`ready at http://127.0.0.1:${this.address().port}`);
});
