import { type ChangeNoticeName, changeNoticeNamespace, realtimePath } from '@sightline/contract/delivery/realtime.ts';
import { io, type Socket } from 'socket.io-client';

/** Pages that are open, each with a socket that connects as the web app's does. */
export interface Crowd {
  connected: () => number;
  /** How many heard the news they are open for since `forget`. */
  heard: () => number;
  /** Of how many the connection broke since `forget`. */
  broken: () => number;
  forget: () => void;
  close: () => void;
}

/** Opens so many at once, for one piece of news; rejects when one of them is refused. */
export async function openCrowd(url: string, token: string, count: number, name: ChangeNoticeName): Promise<Crowd> {
  const [heard, broken] = [new Set<Socket>(), new Set<Socket>()];
  let isClosed = false;
  const sockets = Array.from({ length: count }, () =>
    io(`${url}${changeNoticeNamespace[name]}`, {
      path: realtimePath,
      transports: ['websocket', 'polling'],
      reconnectionDelay: 100,
      reconnectionDelayMax: 5_000,
      randomizationFactor: 0.5,
      forceNew: true,
      auth: { token },
    }),
  );
  for (const socket of sockets) {
    socket.on(name, () => heard.add(socket));
    // A server that stops says goodbye, and a socket that was refused once gives up: both are final to the library alone.
    const connectAgain = () =>
      void setTimeout(() => isClosed || socket.active || socket.connect(), 100 + Math.random() * 2_000);
    socket.on('disconnect', () => {
      broken.add(socket);
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
    heard: () => heard.size,
    broken: () => broken.size,
    forget: () => {
      heard.clear();
      broken.clear();
    },
    close: () => {
      isClosed = true;
      for (const socket of sockets) socket.disconnect();
    },
  };
}
