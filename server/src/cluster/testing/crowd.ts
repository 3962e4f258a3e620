import { type ChangeNoticeName, changeNoticeNamespace, realtimePath } from '@sightline/contract/delivery/realtime.ts';
import { io, type Socket } from 'socket.io-client';

/** Open pages, each with a socket that connects like that of the web app. */
export interface SocketCrowd {
  connected: () => number;
  /** The number of pages that received the change notice since `resetCounts`. */
  notified: () => number;
  /** The number of pages that lost the connection since `resetCounts`. */
  disconnected: () => number;
  resetCounts: () => void;
  close: () => void;
}

/**
 * Opens `count` pages that wait for one kind of change notice. `token` is read at each connection, since the server ends
 * sockets with their token. Rejects if one of them is refused.
 */
export async function openSocketCrowd(
  url: string,
  token: () => string,
  count: number,
  name: ChangeNoticeName,
): Promise<SocketCrowd> {
  const [notified, disconnected] = [new Set<Socket>(), new Set<Socket>()];
  let isClosed = false;
  const sockets = Array.from({ length: count }, () =>
    io(`${url}${changeNoticeNamespace[name]}`, {
      path: realtimePath,
      transports: ['websocket', 'polling'],
      reconnectionDelay: 100,
      reconnectionDelayMax: 5_000,
      randomizationFactor: 0.5,
      forceNew: true,
      auth: (send) => send({ token: token() }),
    }),
  );
  for (const socket of sockets) {
    socket.on(name, () => notified.add(socket));
    // The library does not reconnect after a server shutdown or a refusal, but the web app does.
    const connectAgain = () =>
      void setTimeout(() => isClosed || socket.active || socket.connect(), 100 + Math.random() * 2_000);
    socket.on('disconnect', () => {
      disconnected.add(socket);
      connectAgain();
    });
    socket.on('connect_error', connectAgain);
  }
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          socket.once('connect', resolve);
          socket.on('connect_error', (error) => socket.active || reject(error));
        }),
    ),
  );
  return {
    connected: () => sockets.filter((socket) => socket.connected).length,
    notified: () => notified.size,
    disconnected: () => disconnected.size,
    resetCounts: () => {
      notified.clear();
      disconnected.clear();
    },
    close: () => {
      isClosed = true;
      for (const socket of sockets) socket.disconnect();
    },
  };
}
