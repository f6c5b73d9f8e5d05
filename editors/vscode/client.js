// The language server protocol over the standard streams of a process: requests, notifications, nothing more.
'use strict';
const { spawn } = require('child_process');

class Client {
  /** `onNotification(method, params)` gets what the server says; `onExit()` is called if it ends unasked. */
  constructor(command, args, onNotification, onExit) {
    this.onNotification = onNotification;
    this.onExit = onExit;
    this.pending = new Map();
    this.lastId = 0;
    this.received = Buffer.alloc(0);
    this.stopping = false;
    this.process = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.process.on('error', () => this.ended());
    this.process.on('exit', () => this.ended());
    this.process.stdin.on('error', () => {}); // the server has ended, which `exit` reports
    this.process.stdout.on('data', (data) => this.receive(data));
  }

  request(method, params) {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }

  notify(method, params) {
    this.send({ method, params });
  }

  async stop() {
    this.stopping = true;
    await this.request('shutdown').catch(() => {});
    this.notify('exit');
    this.process.stdin.end();
  }

  send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  receive(data) {
    this.received = Buffer.concat([this.received, data]);
    for (;;) {
      const end = this.received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.received.toString('latin1', 0, end))[1]);
      const begin = end + 4;
      if (this.received.length < begin + length) return;
      const message = JSON.parse(this.received.toString('utf8', begin, begin + length));
      this.received = this.received.subarray(begin + length);
      this.dispatch(message);
    }
  }

  dispatch(message) {
    if (message.method) return this.onNotification(message.method, message.params);
    const request = this.pending.get(message.id);
    if (!request) return;
    this.pending.delete(message.id);
    if (message.error) request.reject(new Error(message.error.message));
    else request.resolve(message.result);
  }

  ended() {
    for (const { reject } of this.pending.values()) reject(new Error('the language server has ended'));
    this.pending.clear();
    if (!this.stopping) this.onExit();
    this.stopping = true;
  }
}

module.exports = { Client };
