import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../bench/clickhouse/', import.meta.url));

/** Whether ClickHouse is installed for tests. It is too large for the ordinary installation. */
export const hasClickHouse = existsSync(`${folder}node_modules/chdb`);

/** Starts a real ClickHouse in its own process: empty, or with the data in `dataFolder`. */
export async function startClickHouse(dataFolder?: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = fork(`${folder}serve.mjs`, dataFolder === undefined ? [] : ['0', dataFolder], {
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
