// Protection of the dashboard: who may read, who may write, from where.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';

import { close, open, patience, serving, simulate } from './harness.mjs';

let server;
let cookie;
before(async () => {
  server = await serving(['serve', simulate(['--rounds', '5'])]);
  await open(server, '/');
  cookie = server.state.cookies.map((one) => `${one.name}=${one.value}`).join('; ');
});
after(close);

function ask(path, { method = 'GET', headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port: server.port, path, method, headers: { Host: `127.0.0.1:${server.port}`, ...headers } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk) => {
        text += chunk;
        if (answer.headers['content-type']?.startsWith('text/event-stream')) {
          answer.destroy();
          resolve({ status: answer.statusCode, headers: answer.headers, text });
        }
      });
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
      answer.on('error', () => undefined);
    });
    request.on('error', reject);
    request.setTimeout(patience, () => request.destroy(new Error(`${path}: no answer`)));
    request.end(body);
  });
}

test('the shell needs no session and holds no data; every answer of the API does', async () => {
  assert.equal((await ask('/tour-7/3')).status, 200);
  for (const path of ['/api/runs', '/api/runs/tour-7', '/api/runs/tour-7/rounds/live', '/api/runs/tour-7/rounds/3/map', '/api/runs/tour-7/strip', '/api/runs/tour-7/events', '/api/runs/tour-7/stream', '/api/runs/tour-7/export?what=round&round=3', '/api/session']) {
    const { status, text } = await ask(path);
    assert.ok(status === 401 || status === 403, `${path}: ${status}`);
    assert.ok(!text.includes('node-0'), path);
  }
  assert.equal((await ask('/api/runs', { headers: { Cookie: cookie } })).status, 200);
});

test('the cookie is for this port alone, and no script reads it', () => {
  const [one] = server.state.cookies;
  assert.ok(one.name.includes(`${server.port}`), one.name);
  assert.deepEqual([one.httpOnly, one.sameSite], [true, 'Strict']);
});

test('a foreign host name is refused', async () => {
  assert.ok((await ask('/api/runs', { headers: { Host: 'evil.example', Cookie: cookie } })).status >= 400);
});

test('a foreign origin is refused, for reading, stopping and the stream', async () => {
  const foreign = { Origin: 'http://evil.example', 'Sec-Fetch-Site': 'cross-site', Cookie: cookie };
  assert.ok((await ask('/api/runs', { headers: foreign })).status >= 400);
  assert.ok((await ask('/api/runs/tour-7/stop', { method: 'POST', headers: { ...foreign, 'X-Parley': '1', 'Content-Type': 'application/json' }, body: '{}' })).status >= 400);
  assert.ok((await ask('/api/runs/tour-7/stream', { headers: { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' } })).status >= 400);
});

test('nothing is changed by GET, nor without the header that forms cannot send', async () => {
  assert.ok((await ask('/api/runs/tour-7/stop', { headers: { Cookie: cookie } })).status >= 400);
  assert.ok((await ask('/api/runs/tour-7/stop', { method: 'POST', headers: { Cookie: cookie, 'Content-Type': 'application/json' }, body: '{}' })).status >= 400);
});

test('the headers forbid inline code, framing, sniffing and referrers', async () => {
  for (const path of ['/', '/tour-7/3', '/api/runs']) {
    const { headers } = await ask(path);
    const policy = headers['content-security-policy'] ?? '';
    assert.ok(!policy.includes('unsafe'), `${path}: ${policy}`);
    assert.match(policy, /default-src 'none'|default-src 'self'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'no-referrer');
  }
});

test('guessing tokens is slowed down', async () => {
  let status = 0;
  for (let i = 0; i < 30 && status !== 429; i += 1) {
    ({ status } = await ask('/api/session', { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Parley': '1' }, body: JSON.stringify({ token: `guess${i}` }) }));
    assert.ok(status === 401 || status === 429, `${status}`);
  }
  assert.equal(status, 429);
});
