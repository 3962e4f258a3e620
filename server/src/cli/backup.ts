import { chmod, copyFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Refusal } from '#core/errors.ts';
import { createSecrets, loadMasterKey } from '#core/secrets.ts';
import { type Config, readConfig } from '../config.ts';
import { writeBackup } from './backup/write.ts';
import { command } from './command.ts';
import { hasCluster, openDatabase } from './open.ts';

export const backup = command({
  name: 'backup',
  says: 'Writes everything of one moment into a new folder, while the server goes on.',
  takes: ['FOLDER'],
  options: {
    'with-key': { says: 'Put the master key in too. Whoever has the folder can then read every secret in it.' },
  },
  run: async ({ options, words: [given = ''] }) => {
    const config = readConfig();
    const folder = resolve(given);
    if (options['with-key']) refuseKeyElsewhere(config);
    await refuseUnused(config);
    const secrets = createSecrets(await loadMasterKey(config.MASTER_KEY, config.dataDir));
    const database = await openDatabase(config);
    try {
      const readerUrl = config.DATABASE_BACKUP_URL ?? database.superuserUrl ?? database.ownerUrl;
      const { at, tables } = await writeBackup(readerUrl, folder, secrets);
      if (options['with-key']) await addKey(config, folder);
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      return {
        json: { backup: { folder, at, rows, tables: tables.length, withKey: options['with-key'] } },
        lines: [
          `${rows} rows of ${tables.length} tables, as they were at ${at}, are in ${folder}`,
          options['with-key']
            ? 'The master key is in it: keep it as safe as the key itself.'
            : `The master key is not in it. Keep ${keyOf(config)} elsewhere: without it no secret can be read.`,
          'Your environment file is not in it either.',
        ],
      };
    } finally {
      await database.close();
    }
  },
});

const keyOf = ({ MASTER_KEY, dataDir }: Config) =>
  MASTER_KEY === undefined ? join(dataDir, 'master.key') : 'MASTER_KEY';

/** Without this a mistyped DATA_DIR would make an installation, and a backup of nothing. */
async function refuseUnused(config: Config): Promise<void> {
  const hasKey = config.MASTER_KEY !== undefined || (await isThere(join(config.dataDir, 'master.key')));
  if (hasKey && (config.DATABASE_URL !== undefined || (await hasCluster(config)))) return;
  throw new Refusal(
    'not_found',
    `There is no installation in ${config.dataDir}. Run this with the server's environment.`,
  );
}

function refuseKeyElsewhere({ MASTER_KEY }: Config): void {
  if (MASTER_KEY === undefined) return;
  const advice = 'Leave --with-key out, and keep the key with your environment file.';
  throw new Refusal('validation_failed', `MASTER_KEY comes from the environment. ${advice}`);
}

async function addKey({ dataDir }: Config, folder: string): Promise<void> {
  const path = join(folder, 'master.key');
  await copyFile(join(dataDir, 'master.key'), path);
  await chmod(path, 0o600);
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
