import { type Namespace, realtimePath } from '@sightline/contract/delivery/realtime.ts';
import { io, type Socket } from 'socket.io-client';

export type Connect = (url: string, namespace: Namespace | '/', token: unknown) => Socket;

/** Opens sockets that do not come back by themselves, and closes all of them in the end. */
export function createSockets(): { connect: Connect; closeAll: () => void } {
  const open: Socket[] = [];
  return {
    connect(url, namespace, token) {
      const options = { path: realtimePath, transports: ['websocket'], reconnection: false, forceNew: true };
      const socket = io(`${url}${namespace}`, { ...options, auth: { token } });
      open.push(socket);
      return socket;
    },
    closeAll() {
      for (const socket of open.splice(0)) socket.disconnect();
    },
  };
}

/** Undefined once connected, else what it was refused with. */
export const outcomeOf = (socket: Socket) =>
  new Promise<{ message: string; data?: unknown } | undefined>((resolve) => {
    socket.once('connect', () => resolve(undefined));
    socket.once('connect_error', (error: Error & { data?: unknown }) =>
      resolve({ message: error.message, data: error.data }),
    );
  });

/** Resolves once the other side has ended it, also when that happened already. */
export const isCut = (socket: Socket) =>
  socket.connected ? new Promise<void>((resolve) => socket.once('disconnect', () => resolve())) : Promise.resolve();

/** The names of everything a socket is told, and a wait until there are so many. */
export function listen(socket: Socket): { names: string[]; until: (count: number) => Promise<void> } {
  const names: string[] = [];
  let look = () => {};
  socket.onAny((name: string) => {
    names.push(name);
    look();
  });
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      look = () => {
        if (names.length >= count) resolve();
      };
      look();
    });
  return { names, until };
}
