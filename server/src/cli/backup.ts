import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Refusal } from '#core/errors.ts';
import { isMasterKeyFile, masterKeyPath, openMasterKeys } from '#core/master-keys.ts';
import { releaseVersion } from '#database/release.ts';
import { type Config, readConfig } from '../config.ts';
import { readRecipients } from './backup/encryption.ts';
import { openBackup } from './backup/open-backup.ts';
import { recordBackup } from './backup/record.ts';
import { writeBackup } from './backup/write.ts';
import { command } from './command.ts';
import { hasCluster, openDatabase, withDatabasePool } from './command-resources.ts';

export const backupCommand = command({
  name: 'backup',
  description: 'Writes a consistent backup to a new folder while the server runs.',
  valueName: ['FOLDER'],
  options: {
    recipient: {
      valueName: 'AGE1...',
      description:
        'Encrypt every file for this age recipient. Several: separated by commas, or a file with one per line.',
    },
    'with-key': {
      description: 'Include the master key. Anyone who can read the backup can then read every secret in it.',
    },
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
      const data = { at, release: releaseVersion, folder, rows, encrypted: recipients.length > 0 };
      await withDatabasePool(database.ownerUrl, (owner) => owner.global((tx) => recordBackup(tx, data)));
      return {
        json: { backup: { folder, at, rows, tables: tables.length, recipients, withKey } },
        lines: [
          `Wrote ${rows} rows of ${tables.length} tables as of ${at} to ${folder}`,
          ...(recipients.length > 0 ? [`Every file is encrypted for ${recipients.join(', ')}.`] : []),
          withKey
            ? 'It contains the master key. Protect it like the key itself.'
            : `It does not contain the master key. Store ${keyOf(config)} elsewhere. Without it no secret can be decrypted.`,
          'It does not contain your environment file.',
        ],
      };
    } finally {
      await database.close();
    }
  },
});

export const verifyBackup = command({
  name: 'backup verify',
  description: 'Verifies the files of a backup and that this release can restore it.',
  valueName: ['FOLDER'],
  options: {
    identity: { valueName: 'FILE', description: 'The age identity file for an encrypted backup.' },
  },
  run: async ({ options, words: [given = ''] }) => {
    const { manifest, folder } = await openBackup(readConfig(), given, options.identity);
    const isOfThisRelease = manifest.release === releaseVersion;
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return {
      json: { verified: { folder, at: manifest.at, release: manifest.release, rows, restorable: isOfThisRelease } },
      lines: [
        `${manifest.tables.length} files with ${rows} rows, as they were at ${manifest.at}, are as the backup wrote them.`,
        isOfThisRelease
          ? 'To test the restore: npm run sightline -- restore FOLDER --drill'
          : `Release ${manifest.release} created it, and only that release can restore it. This is ${releaseVersion}.`,
      ],
    };
  },
});

const keyOf = (config: Config) =>
  isMasterKeyFile(config)
    ? masterKeyPath(config.dataDir)
    : config.KEY_COMMAND === undefined
      ? 'MASTER_KEY'
      : 'the key of KEY_COMMAND';

/** Otherwise a mistyped DATA_DIR would create an installation, and back up nothing. */
async function refuseUnused(config: Config): Promise<void> {
  const hasKey = !isMasterKeyFile(config) || (await isThere(masterKeyPath(config.dataDir)));
  if (hasKey && (config.DATABASE_URL !== undefined || (await hasCluster(config)))) return;
  throw new Refusal(
    'not_found',
    `No installation found in ${config.dataDir}. Run this with the environment of the server.`,
  );
}

function refuseKeyElsewhere(config: Config): void {
  if (isMasterKeyFile(config)) return;
  const advice = 'Omit --with-key, and back up the key at its source.';
  throw new Refusal('validation_failed', `The master key does not come from the data directory. ${advice}`);
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
