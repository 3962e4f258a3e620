import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ChangeNoticeName,
  type ChangeNotices,
  type Namespace,
  namespaces,
  realtimePath,
} from '@sightline/contract/delivery/realtime.ts';
import { act } from '@testing-library/react';
import type { DetachedWindowAPI } from 'happy-dom';
import { Server } from 'socket.io';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

/** A real socket server for the tests of a file, at the origin of the page. */
export function startRealtimeServer() {
  const http = createServer();
  const io = new Server(http, {
    path: realtimePath,
    allowRequest: (_request, answer) => {
      door.knocks += 1;
      answer(null, door.isOpen);
    },
  });
  /** Whether connections are accepted, the number of attempts, and the namespace that rejects all. */
  const door: { isOpen: boolean; knocks: number; closed: Namespace | undefined } = {
    isOpen: true,
    knocks: 0,
    closed: undefined,
  };
  const tokens: unknown[] = [];
  for (const name of namespaces) {
    io.of(name).use((socket, next) => {
      tokens.push(socket.handshake.auth.token);
      next(door.closed === name ? Object.assign(new Error('unauthorized'), { data: { code: 401 } }) : undefined);
    });
  }
  beforeAll(async () => {
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    (window as unknown as { happyDOM: DetachedWindowAPI }).happyDOM.setURL(
      `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    );
  });
  beforeEach(() => {
    Object.assign(door, { isOpen: true, knocks: 0, closed: undefined });
    tokens.length = 0;
  });
  afterAll(() => io.close());
  // A pending connection was requested earlier than these requests, which are answered in order.
  const ask = () =>
    new Promise<void>((resolve) => {
      get({ port: (http.address() as AddressInfo).port, agent: false, path: `${realtimePath}/?EIO=4` }, (answer) =>
        answer.resume().on('end', resolve),
      );
    });
  return {
    door,
    /** The tokens of the connected sockets. */
    tokens,
    notify: <Name extends ChangeNoticeName>(namespace: Namespace, name: Name, notice: ChangeNotices[Name]) =>
      io.of(namespace).emit(name, notice),
    /** Breaks all connections, like a server shutdown. */
    breakLines: () => {
      for (const socket of io.of('/auth0mgm').sockets.values()) socket.conn.close();
    },
    /** Disconnects the sockets of a namespace, as the server does for an expired token. */
    sayGoodbye: (namespace: Namespace) => io.of(namespace).disconnectSockets(),
    /** Resolves once all earlier requests have reached the server. */
    caughtUp: () =>
      act(async () => {
        await ask();
        await ask();
      }),
  };
}

/**
 * Runs sockets until the condition is met; fake timers do not advance. A test that ends earlier leaves nothing behind.
 */
export async function waitUntil(isSo: () => boolean): Promise<void> {
  const { signal } = running;
  while (!isSo() && !signal.aborted) await act(() => new Promise<void>((resolve) => setImmediate(resolve)));
}

let running = new AbortController();
afterEach(() => {
  running.abort();
  running = new AbortController();
});
