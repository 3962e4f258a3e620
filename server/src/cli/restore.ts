import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Refusal } from '#core/errors.ts';
import { createSecrets } from '#core/secrets.ts';
import { migrate } from '#database/migrate.ts';
import { type Config, readConfig } from '../config.ts';
import { loadBackup } from './backup/load.ts';
import { checkFiles, isKeyOf, type Manifest, readManifest } from './backup/manifest.ts';
import { command } from './command.ts';
import { openDatabase } from './open.ts';

export const restore = command({
  name: 'restore',
  says: 'Puts a backup into an installation that nobody has used yet. The server must be stopped.',
  takes: ['FOLDER'],
  options: {},
  run: async ({ words: [given = ''] }) => {
    const config = readConfig();
    const folder = resolve(given);
    const manifest = await readManifest(folder);
    const keep = await findKey(config, folder, manifest);
    await checkFiles(folder, manifest);
    const database = await openDatabase(config);
    try {
      if (database.kind === 'running') throw new Refusal('conflict', 'The server is running. Stop it first.');
      await migrate(database.ownerUrl);
      await makeQueue(database.ownerUrl);
      const { entries } = await loadBackup(database.ownerUrl, folder, manifest);
      await keep();
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
      return {
        json: { restored: { at: manifest.at, rows, tables: manifest.tables.length, entries } },
        lines: [
          `${rows} rows of ${manifest.tables.length} tables are back, as they were at ${manifest.at}`,
          `Every count is that of the backup, and ${entries} entries of the ledger have their hashes.`,
          'Start the server, and see: npm run sightline -- doctor',
        ],
      };
    } finally {
      await database.close();
    }
  },
});

/**
 * Refuses before anything is written when the master key is missing or is not the backup's. Answers what puts a key that
 * came with the backup into its place.
 */
async function findKey(
  { MASTER_KEY, dataDir }: Config,
  folder: string,
  manifest: Manifest,
): Promise<() => Promise<void>> {
  const own = join(dataDir, 'master.key');
  const places = [MASTER_KEY, await maybeRead(own), await maybeRead(join(folder, 'master.key'))];
  const text = places.find((one) => one !== undefined);
  if (text === undefined) {
    const advice = `Put it to ${own}, or set MASTER_KEY.`;
    throw new Refusal('validation_failed', `The backup needs the master key of its installation. ${advice}`);
  }
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32 || !isKeyOf(manifest, createSecrets(key))) {
    const which = MASTER_KEY !== undefined ? 'MASTER_KEY' : text === places[1] ? own : 'The key in the folder';
    throw new Refusal('validation_failed', `${which} is not the master key this backup was made with.`);
  }
  return async () => {
    if (MASTER_KEY !== undefined || places[1] !== undefined) return;
    await mkdir(dataDir, { recursive: true });
    await writeFile(own, text, { mode: 0o600, flag: 'wx' });
  };
}

const maybeRead = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);

/** The tables of the queue are made by its own package. */
async function makeQueue(ownerUrl: string): Promise<void> {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({ connectionString: ownerUrl, schema: 'pgboss', supervise: false, schedule: false });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.stop({ graceful: false });
}
