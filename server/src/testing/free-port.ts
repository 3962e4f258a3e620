import { createServer } from 'node:net';

/**
 * A port nobody listens on, and so with the next ones where a program takes several `inARow`. Below the range that systems
 * hand out by themselves: it stays free until the program is there, and while it is started again.
 */
export async function freePort(inARow = 1): Promise<number> {
  for (;;) {
    const first = 10_000 + Math.trunc(Math.random() * 20_000);
    if (await areFree(first, inARow)) return first;
  }
}

async function areFree(first: number, inARow: number): Promise<boolean> {
  for (let port = first; port < first + inARow; port += 1) {
    if (!(await isFree(port))) return false;
  }
  return true;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
