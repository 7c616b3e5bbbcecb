// The peer of stream_fanout: Node's ws sends the same messages to as many clients.
// node stream_peer.mjs CLIENTS MESSAGES BYTES
import { WebSocketServer } from 'ws';

const [clients, messages, bytes] = process.argv.slice(2).map(Number);
const message = 'x'.repeat(bytes);
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
let before = 0;
let sent = 0;

function mostWaiting() {
  let most = 0;
  for (const client of server.clients) most = Math.max(most, client.bufferedAmount);
  return most;
}

function pump() {
  if (sent === messages) return;
  // As far ahead of the slowest as the other server goes.
  if (mostWaiting() > 32 * bytes) {
    setTimeout(pump, 1);
    return;
  }
  for (const client of server.clients) client.send(message, { binary: false });
  sent += 1;
  setImmediate(pump);
}

server.on('listening', () => console.log(server.address().port));
server.on('connection', (socket) => {
  socket.on('error', () => {});
  socket.on('close', () => {
    if (server.clients.size > 0) return;
    const used = process.cpuUsage();
    console.log(JSON.stringify({ cpu: (used.user + used.system) / 1e6 - before }));
    process.exit(0);
  });
  if (server.clients.size === clients) {
    setTimeout(() => {
      const used = process.cpuUsage();
      before = (used.user + used.system) / 1e6;
      pump();
    }, 300);
  }
});
