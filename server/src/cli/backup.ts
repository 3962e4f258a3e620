import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Refusal } from '#core/errors.ts';
import { isFile, openMasterKeys, pathOf } from '#core/master-keys.ts';
import { release } from '#database/release.ts';
import { type Config, readConfig } from '../config.ts';
import { readRecipients } from './backup/encryption.ts';
import { openBackup } from './backup/open.ts';
import { recordBackup } from './backup/record.ts';
import { writeBackup } from './backup/write.ts';
import { command } from './command.ts';
import { hasCluster, openDatabase, withPool } from './open.ts';

export const backup = command({
  name: 'backup',
  says: 'Writes everything of one moment into a new folder, while the server goes on.',
  takes: ['FOLDER'],
  options: {
    recipient: {
      takes: 'AGE1...',
      says: 'Encrypt every file for this key, in the age format. Several: with commas, or a file with one a line.',
    },
    'with-key': { says: 'Put the master key in too. Whoever can read the backup can then read every secret in it.' },
  },
  run: async ({ options, words: [given = ''] }) => {
    const config = readConfig();
    const folder = resolve(given);
    if (options['with-key']) refuseKeyElsewhere(config);
    await refuseUnused(config);
    const recipients = await readRecipients(options.recipient);
    const { current: masterKey } = (await openMasterKeys(config)).read();
    const database = await openDatabase(config);
    try {
      const readerUrl = config.DATABASE_BACKUP_URL ?? database.superuserUrl ?? database.ownerUrl;
      const withKey = options['with-key'];
      const { at, tables } = await writeBackup(readerUrl, folder, { masterKey, recipients, withKey });
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const data = { at, release, folder, rows, encrypted: recipients.length > 0 };
      await withPool(database.ownerUrl, (owner) => owner.global((tx) => recordBackup(tx, data)));
      return {
        json: { backup: { folder, at, rows, tables: tables.length, recipients, withKey } },
        lines: [
          `${rows} rows of ${tables.length} tables, as they were at ${at}, are in ${folder}`,
          ...(recipients.length > 0 ? [`Every file is encrypted for ${recipients.join(', ')}.`] : []),
          withKey
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

export const verifyBackup = command({
  name: 'backup verify',
  says: 'Checks that every file of a backup is as it was written, and that this release can restore it.',
  takes: ['FOLDER'],
  options: {
    identity: { takes: 'FILE', says: 'The key that an encrypted backup is opened with, as age-keygen writes it.' },
  },
  run: async ({ options, words: [given = ''] }) => {
    const { manifest, folder } = await openBackup(readConfig(), given, options.identity);
    const isOfThisRelease = manifest.release === release;
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return {
      json: { verified: { folder, at: manifest.at, release: manifest.release, rows, restorable: isOfThisRelease } },
      lines: [
        `${manifest.tables.length} files with ${rows} rows, as they were at ${manifest.at}, are as the backup wrote them.`,
        isOfThisRelease
          ? 'To see that they can be restored: npm run sightline -- restore FOLDER --drill'
          : `Release ${manifest.release} made it, and only that release restores it. This is ${release}.`,
      ],
    };
  },
});

const keyOf = (config: Config) =>
  isFile(config) ? pathOf(config.dataDir) : config.KEY_COMMAND === undefined ? 'MASTER_KEY' : 'the key of KEY_COMMAND';

/** Without this a mistyped DATA_DIR would make an installation, and a backup of nothing. */
async function refuseUnused(config: Config): Promise<void> {
  const hasKey = !isFile(config) || (await isThere(pathOf(config.dataDir)));
  if (hasKey && (config.DATABASE_URL !== undefined || (await hasCluster(config)))) return;
  throw new Refusal(
    'not_found',
    `There is no installation in ${config.dataDir}. Run this with the server's environment.`,
  );
}

function refuseKeyElsewhere(config: Config): void {
  if (isFile(config)) return;
  const advice = 'Leave --with-key out, and keep the key where it comes from.';
  throw new Refusal('validation_failed', `The master key does not come from the data directory. ${advice}`);
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
