import { createServer } from 'node:net';

/**
 * Returns a free port that is followed by `inARow - 1` free ones. It is below the range that systems assign
 * automatically, so it stays free until a program uses it and while the program restarts.
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
