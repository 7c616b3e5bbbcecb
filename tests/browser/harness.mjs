// What the browser tests share: the real binary, real run folders, Debian's Chromium.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from '../../web/node_modules/playwright-core/index.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const program = process.env.PARLEY ?? path.join(root, 'build/parley');
const maker = process.env.MAKE_RUN ?? path.join(root, 'build/dev/tests/make_run');

/** `make test` has a short one of each test; `make check-all` sets this and has the whole of it. */
export const whole = process.env.PARLEY_FAULTS === 'all';
/** How long anything is waited for: a machine that is busy with something else gets its time. */
export const patience = 120_000;

export const desk = { width: 1440, height: 900 };
export const phone = { width: 390, height: 844 };

const started = [];
const folders = [];
let browser;

/** A folder of this test, removed at its end. */
export function folder() {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-browser-'));
  folders.push(made);
  return made;
}

export function ok(command, words, options = {}) {
  const done = spawnSync(command, words, { encoding: 'utf8', ...options });
  assert.equal(done.status, 0, `${command} ${words.join(' ')}: ${done.stderr}${done.error ?? ''}`);
  return done.stdout;
}

/** A finished run, by the simulator. */
export function simulate(words, name = 'tour-7') {
  const run = path.join(folder(), name);
  ok(program, ['simulate', ...words, '--event-dir', run]);
  return run;
}

/** A run as the test tool writes it. */
export function makeRun(kind, words, name = kind) {
  const run = path.join(folder(), name);
  ok(maker, [kind, run, ...words]);
  return run;
}

/** The same, while it is being written. */
export function growRun(words, name = 'huge') {
  const run = path.join(folder(), name);
  return { run, child: start(maker, ['huge', run, ...words]) };
}

export function start(command, words, options = {}) {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  started.push(child);
  child.said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text) => (child.said += text));
  }
  return child;
}

export async function until(what, condition, ms = patience) {
  const end = Date.now() + ms;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a command that serves, and waits for its link. */
export async function serving(words, { port, cwd } = {}) {
  const at = port ?? (await freePort());
  const child = start(program, [...words, '--listen', `127.0.0.1:${at}`], { cwd: cwd ?? folder() });
  const link = await until('a link is printed', () => {
    if (child.exitCode !== null) throw new Error(`${words.join(' ')} ended: ${child.said}`);
    return /http:\/\/127\.0\.0\.1:\d+\/[^\s]*#token=[^\s]+/.exec(child.said)?.[0];
  });
  return { child, link, port: at, base: `http://127.0.0.1:${at}`, state: undefined };
}

/** The same server behind a connection that can be cut: its sessions survive the cut. */
export async function cuttable(server) {
  const sockets = new Set();
  let listening;
  const plug = async (port) => {
    listening = http.createServer((ask, answer) => {
      const headers = { ...ask.headers, host: `127.0.0.1:${server.port}` };
      if (headers.origin) headers.origin = server.base;
      const on = http.request({ host: '127.0.0.1', port: server.port, path: ask.url, method: ask.method, headers }, (came) => {
        answer.writeHead(came.statusCode, came.headers);
        came.pipe(answer);
      });
      on.on('error', () => answer.destroy());
      answer.on('close', () => on.destroy());
      ask.pipe(on);
    });
    listening.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise((resolve) => listening.listen(port, '127.0.0.1', resolve));
    listening.unref(); // The connection must not keep the tests from ending.
    return listening.address().port;
  };
  const port = await plug(0);
  const base = `http://127.0.0.1:${port}`;
  return {
    ...server, base, link: server.link.replace(server.base, base), state: undefined,
    cut: async () => {
      const over = new Promise((resolve) => listening.close(resolve));
      for (const socket of sockets) socket.destroy();
      await over;
    },
    restore: () => plug(port),
  };
}

export async function stopped(child, signal = 'SIGTERM') {
  if (child.exitCode === null && child.signalCode === null) {
    const over = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await over;
  }
}

export async function chrome() {
  browser ??= await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  return browser;
}

/** A page of a logged-in person; errors of the browser are in page.complaints. */
export async function open(server, address = '/', options = {}) {
  const context = await (await chrome()).newContext({
    viewport: desk, colorScheme: 'dark', ...(server.state ? { storageState: server.state } : {}), ...options,
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  watch(page);
  if (server.state === undefined) {
    await page.goto(server.link);
    await page.locator('.shell main').waitFor();
    await until('the token is gone from the address', () => !page.url().includes('token'));
    await until('a session is there', async () => (await context.cookies()).length > 0);
    server.state = await context.storageState();
  }
  await page.goto(server.base + address);
  await page.locator('.shell main section').first().waitFor();
  return page;
}

export function watch(page) {
  page.complaints = [];
  page.on('pageerror', (error) => page.complaints.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) page.complaints.push(message.text());
  });
  page.on('dialog', (dialog) => {
    page.complaints.push(`a dialog opened: ${dialog.message()}`);
    void dialog.dismiss();
  });
}

/** Ends what this file started. */
export async function close() {
  await browser?.close();
  for (const child of started) await stopped(child, 'SIGKILL');
  for (const each of folders) fs.rmSync(each, { recursive: true, force: true });
}

/** Whether an element is completely inside the viewport and none of its text is cut off. */
export async function unclipped(page, locator) {
  return locator.first().evaluate((element) => {
    const box = element.getBoundingClientRect();
    const inside = box.width > 0 && box.height > 0 && box.left >= -0.5 && box.top >= -0.5 &&
      box.right <= innerWidth + 0.5 && box.bottom <= innerHeight + 0.5;
    let cut = element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflow !== 'visible';
    for (let up = element; up !== null && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.overflow === 'visible') continue;
      const outer = up.getBoundingClientRect();
      if (box.right > outer.right + 1 || box.bottom > outer.bottom + 1) cut = true;
    }
    const nav = document.querySelector('nav[aria-label="Views of the phone page"]')?.getBoundingClientRect();
    const covered = nav !== undefined && nav.height > 0 && box.bottom > nav.top;
    return inside && !cut && !covered ? '' : `${element.className}: "${element.textContent.slice(0, 60)}" inside ${inside}, cut ${cut}, covered ${covered}, ${JSON.stringify(box)}`;
  });
}
