import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#testing/databases.ts';
import { type CrashScene, createScene } from './testing/scene.ts';

const MB = 1024 * 1024;
const bodyBytes = 24 * MB;

let scene: CrashScene;
beforeAll(async () => {
  scene = await createScene({ DATABASE_URL: await createTestDatabase() });
});
afterAll(() => scene?.installation.close());

const isLinux = process.platform === 'linux';

// Sends as much of 4.8 GB as the server accepts.
test.runIf(isLinux)(
  '200 connections with bodies of 24 MB for unknown webhooks use less than 50 MB of memory',
  {
    tags: 'full',
    timeout: 120_000,
  },
  async () => {
    const { port } = new URL(scene.installation.url);
    const chunk = Buffer.alloc(MB, 'x');
    const send = async () => {
      const socket = connect(Number(port), '127.0.0.1');
      let answer = '';
      socket.on('data', (data) => {
        answer += data;
      });
      // The server closes the connection during the body.
      socket.on('error', () => undefined);
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.write(
        `POST /api/webhooks/gitlab?hook=${randomUUID()} HTTP/1.1\r\nhost: localhost\r\nx-gitlab-token: none\r\n` +
          `content-type: application/json\r\ncontent-length: ${bodyBytes}\r\n\r\n`,
      );
      for (let sent = 0; sent < bodyBytes && !socket.destroyed; sent += MB) {
        if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed]);
      }
      socket.end();
      await closed;
      return answer;
    };
    // The first requests load code that every request needs.
    await Promise.all(Array.from({ length: 5 }, send));
    const before = residentBytes();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, residentBytes());
    }, 20);
    const answers = await Promise.all(Array.from({ length: 200 }, send));
    clearInterval(watch);
    expect(answers.filter((answer) => answer !== '' && !answer.startsWith('HTTP/1.1 401'))).toEqual([]);
    expect(answers.some((answer) => answer.startsWith('HTTP/1.1 401'))).toBe(true);
    expect((peak - before) / MB).toBeLessThan(50);
  },
);

/** Returns the resident memory of the server process. */
function residentBytes(): number {
  const status = readFileSync(`/proc/${scene.server.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
