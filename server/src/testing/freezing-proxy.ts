import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/** A proxy to PostgreSQL that can drop data like a failing network. */
export interface FreezingProxy {
  /** Returns the address of a database through the proxy. */
  urlThroughProxy: (databaseUrl: string) => string;
  freeze: () => void;
  /** Forwards data of connections that are opened from now on. */
  thaw: () => void;
  /** Forwards nothing, and everything after `thaw`, like an interrupted network. */
  stall: () => void;
  /** Closes every connection, and new ones immediately, until `thaw`. */
  cut: () => void;
  close: () => Promise<void>;
}

export async function startFreezingProxy(): Promise<FreezingProxy> {
  let target: NetConnectOpts | undefined;
  let isFrozen = false;
  let isCut = false;
  let isStalled = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => undefined);
    near.once('close', () => sockets.delete(near));
    if (isCut) near.destroy();
    if (!target || isFrozen || isCut) return;
    const far = connect(target);
    sockets.add(far);
    far.on('error', () => near.destroy());
    far.once('close', () => sockets.delete(far));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (chunk) => isFrozen || to.write(chunk));
      from.on('close', () => to.destroy());
      if (isStalled) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    urlThroughProxy(databaseUrl) {
      const url = new URL(databaseUrl);
      const host = decodeURIComponent(url.hostname);
      // A folder contains the socket of PostgreSQL.
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
      isCut = false;
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    stall: () => {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
