import { connect, type Socket } from 'node:net';

export type MarionetteCommand = (name: string, parameters?: object) => Promise<unknown>;

interface Waiter {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * A client of Firefox's Marionette protocol. Unlike WebDriver BiDi it opens private windows and controls the browser
 * chrome. Each message is `length:[kind, id, …]`.
 */
export async function marionette(port: number): Promise<{ command: MarionetteCommand; close: () => void }> {
  const socket = await connected(port);
  const waiters = new Map<number, Waiter>();
  let buffer = Buffer.alloc(0);
  let last = 0;

  socket.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const colon = buffer.indexOf(':');
      const length = Number(buffer.subarray(0, colon).toString());
      if (colon < 0 || buffer.length < colon + 1 + length) return;
      const message = JSON.parse(buffer.subarray(colon + 1, colon + 1 + length).toString());
      buffer = buffer.subarray(colon + 1 + length);
      if (Array.isArray(message)) resolveCommand(message);
    }
  });
  const resolveCommand = ([, id, error, result]: unknown[]) => {
    const waiter = waiters.get(Number(id));
    waiters.delete(Number(id));
    if (error)
      waiter?.reject(new Error(`${(error as { error: string }).error}: ${(error as { message: string }).message}`));
    else waiter?.resolve(result);
  };
  socket.on('close', () => {
    for (const { reject } of waiters.values()) reject(new Error('Firefox has ended'));
  });

  return {
    command: (name, parameters = {}) =>
      new Promise((resolve, reject) => {
        last += 1;
        waiters.set(last, { resolve, reject });
        const text = JSON.stringify([0, last, name, parameters]);
        socket.write(`${Buffer.byteLength(text)}:${text}`);
      }),
    close: () => socket.destroy(),
  };
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}
