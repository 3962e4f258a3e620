import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/**
 * Starts a proxy that connects every name to one port of this machine, like one that resolves names unknown to this
 * machine.
 */
export async function startEgressProxy(targetPort: number, refuses: readonly string[] = []) {
  const asked: string[] = [];
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', ({ url = '' }, client) => {
    asked.push(url);
    client.on('error', () => undefined);
    if (refuses.includes(url)) {
      client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const target = connect(targetPort, '127.0.0.1', () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    target.on('error', () => client.destroy());
    client.on('close', () => target.destroy());
    client.pipe(target).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The `host:port` of each requested connection. */
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
