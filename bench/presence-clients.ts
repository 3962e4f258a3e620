// Clients with sockets, in their own process to exclude their memory and time from those of the server. presence.ts
// starts it.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { realtimePath } from '../contract/src/delivery/realtime.ts';

export type PresenceClientCommand =
  /** Connects from each of `addresses` in turn, since the server limits the connections of one network. */
  | { open: 'editors' | 'pages'; url: string; tokens: string[]; addresses: readonly string[] }
  /** Measures `fanOut` times how long the status change of a member takes to reach every page. */
  | { fanOut: number; url: string; token: string }
  | { close: true };

const sockets: Socket[] = [];

process.on('message', async (order: PresenceClientCommand) => {
  if ('open' in order) process.send?.(await openAll(order));
  else if ('fanOut' in order) process.send?.(await fanOut(order));
  else {
    for (const socket of sockets.splice(0)) socket.disconnect();
    process.send?.({});
  }
});
process.once('disconnect', () => process.exit(0));

/** Opens a few connections at a time, as members do in the morning. */
async function openAll({
  open,
  url,
  tokens,
  addresses,
}: Extract<PresenceClientCommand, { open: string }>): Promise<{ failed: number }> {
  let next = 0;
  let failed = 0;
  const worker = async () => {
    for (let index = next++; index < tokens.length; index = next++) {
      const token = tokens[index] ?? '';
      if (!(await connect(open, { url, token, localAddress: addresses[index % addresses.length] }))) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: 25 }, worker));
  return { failed };
}

function connect(
  kind: 'editors' | 'pages',
  { url, token, localAddress }: { url: string; token: string; localAddress: string | undefined },
): Promise<boolean> {
  const session = { side: 'ide', sessionId: randomUUID(), type: 'vscode', version: '1.0.0' };
  // The transport passes the address to `ws`; the types of the client do not name it.
  const options: Partial<ManagerOptions & SocketOptions> & { localAddress: string | undefined } = {
    localAddress,
    path: realtimePath,
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: kind === 'editors' ? { token, session } : { token },
  };
  const socket = io(`${url}${kind === 'editors' ? '/ide/context' : '/user'}`, options);
  sockets.push(socket);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('connect_error', () => resolve(false));
  });
}

/** Returns the milliseconds from the request that changes the status to each page that receives the change notice. */
async function fanOut({
  fanOut: rounds,
  url,
  token,
}: Extract<PresenceClientCommand, { fanOut: number }>): Promise<{ times: number[] }> {
  const times: number[] = [];
  const session = { side: 'browser', sessionId: randomUUID(), type: 'chrome', version: '1.0.0' };
  for (let round = 0; round < rounds; round += 1) {
    // Change notices within a second are combined.
    await sleep(1_100);
    const received = sockets.map(
      (socket) => new Promise<number>((resolve) => socket.once('extStatus', () => resolve(performance.now()))),
    );
    const sentAt = performance.now();
    await fetch(`${url}/api/v2/user/heartbeat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...session, leaving: round % 2 === 1 }),
    });
    for (const at of await Promise.all(received)) times.push(at - sentAt);
  }
  return { times };
}
