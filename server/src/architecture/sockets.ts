import { type Namespace, realtimePath } from '@sightline/contract/delivery/realtime.ts';
import { io, type Socket } from 'socket.io-client';

export type ConnectSocket = (url: string, namespace: Namespace | '/', token: unknown) => Socket;

/** Opens sockets that do not reconnect, and closes all of them with `closeAll`. */
export function createSockets(): { connect: ConnectSocket; closeAll: () => void } {
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

/** Resolves with undefined when connected, otherwise with the error. */
export const connectionOutcomeOf = (socket: Socket) =>
  new Promise<{ message: string; data?: unknown } | undefined>((resolve) => {
    socket.once('connect', () => resolve(undefined));
    socket.once('connect_error', (error: Error & { data?: unknown }) =>
      resolve({ message: error.message, data: error.data }),
    );
  });

/** Resolves when the server has disconnected the socket, also if that happened before. */
export const waitUntilDisconnected = (socket: Socket) =>
  socket.connected ? new Promise<void>((resolve) => socket.once('disconnect', () => resolve())) : Promise.resolve();

/** Returns the names of all events of a socket, and a function that waits until `count` have arrived. */
export function collectEvents(socket: Socket): { names: string[]; until: (count: number) => Promise<void> } {
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
