// Clients with sockets, as a process of their own so that their memory and time are not the server's. Started by presence.ts.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { realtimePath } from '../contract/src/delivery/realtime.ts';

export type Order =
  | { open: 'editors' | 'pages'; url: string; tokens: string[] }
  /** How long news of a colleague who comes or goes takes to every page, so many times. */
  | { fanOut: number; url: string; token: string }
  | { close: true };

const sockets: Socket[] = [];

process.on('message', async (order: Order) => {
  if ('open' in order) process.send?.(await openAll(order));
  else if ('fanOut' in order) process.send?.(await fanOut(order));
  else {
    for (const socket of sockets.splice(0)) socket.disconnect();
    process.send?.({});
  }
});
process.once('disconnect', () => process.exit(0));

/** Opens them a few at a time, as people come in the morning. */
async function openAll({ open, url, tokens }: Extract<Order, { open: string }>): Promise<{ failed: number }> {
  let next = 0;
  let failed = 0;
  const worker = async () => {
    for (let index = next++; index < tokens.length; index = next++) {
      if (!(await connect(open, url, tokens[index] ?? ''))) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: 25 }, worker));
  return { failed };
}

function connect(kind: 'editors' | 'pages', url: string, token: string): Promise<boolean> {
  const session = { side: 'ide', sessionId: randomUUID(), type: 'vscode', version: '1.0.0' };
  const socket = io(`${url}${kind === 'editors' ? '/ide/context' : '/user'}`, {
    path: realtimePath,
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: kind === 'editors' ? { token, session } : { token },
  });
  sockets.push(socket);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('connect_error', () => resolve(false));
  });
}

/** Milliseconds from the question that makes the news to each page that hears it. */
async function fanOut({
  fanOut: rounds,
  url,
  token,
}: Extract<Order, { fanOut: number }>): Promise<{ times: number[] }> {
  const times: number[] = [];
  const session = { side: 'browser', sessionId: randomUUID(), type: 'chrome', version: '1.0.0' };
  for (let round = 0; round < rounds; round += 1) {
    // Further news within a second would be told together with the next.
    await sleep(1_100);
    const heard = sockets.map(
      (socket) => new Promise<number>((resolve) => socket.once('extStatus', () => resolve(performance.now()))),
    );
    const asked = performance.now();
    await fetch(`${url}/api/v2/user/heartbeat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...session, leaving: round % 2 === 1 }),
    });
    for (const at of await Promise.all(heard)) times.push(at - asked);
  }
  return { times };
}
