import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../bench/clickhouse/', import.meta.url));

/** Whether ClickHouse was installed for tests; it is too large to come with everything else. */
export const hasClickHouse = existsSync(`${folder}node_modules/chdb`);

/** A real ClickHouse in a process of its own: with nothing in it, or with what lies in `kept`. */
export async function startClickHouse(kept?: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = fork(`${folder}serve.mjs`, kept === undefined ? [] : ['0', kept], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { url } = await new Promise<{ url: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string }));
    child.once('exit', (code) => reject(new Error(`ClickHouse ended with ${code}`)));
  });
  return {
    url: `${url}/sightline`,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.disconnect();
      await ended;
    },
  };
}
