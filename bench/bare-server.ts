// Answers every request with the bytes that its parent sent last: what Node.js and the load generator need alone.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let bytes = Buffer.alloc(0);
const server = createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length });
    response.end(bytes);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on('message', ({ base64 }: { base64: string }) => {
  bytes = Buffer.from(base64, 'base64');
  process.send?.({ ready: true });
});
process.once('disconnect', () => process.exit(0));
