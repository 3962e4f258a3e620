import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/** A connection to PostgreSQL that can stop to pass anything on, as a network does that drops packets. */
export interface FreezingProxy {
  /** The address of a database, by way of the proxy. */
  through: (databaseUrl: string) => string;
  freeze: () => void;
  /** Connections made from now on pass. */
  thaw: () => void;
  close: () => Promise<void>;
}

export async function startFreezingProxy(): Promise<FreezingProxy> {
  let target: NetConnectOpts | undefined;
  let isFrozen = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => undefined);
    if (!target || isFrozen) return;
    const far = connect(target);
    sockets.add(far);
    far.on('error', () => near.destroy());
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (chunk) => isFrozen || to.write(chunk));
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    through(databaseUrl) {
      const url = new URL(databaseUrl);
      const host = decodeURIComponent(url.hostname);
      // A folder is where the socket of PostgreSQL lies.
      target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${url.port}` } : { host, port: Number(url.port) };
      url.hostname = '127.0.0.1';
      url.port = String((server.address() as AddressInfo).port);
      return url.href;
    },
    freeze: () => {
      isFrozen = true;
    },
    thaw: () => {
      isFrozen = false;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
