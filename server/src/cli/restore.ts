import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '#core/errors.ts';
import { type Config, readConfig } from '../config.ts';
import { runRestoreDrill } from './backup/drill.ts';
import { loadBackup } from './backup/load.ts';
import { openBackup, type VerifiedBackup } from './backup/open-backup.ts';
import { prepareDatabase } from './backup/prepare.ts';
import { type CommandOutput, command } from './command.ts';
import { openDatabase } from './command-resources.ts';

export const restoreCommand = command({
  name: 'restore',
  description: 'Restores a backup to an empty instance. The server must be stopped.',
  valueName: ['FOLDER'],
  options: {
    identity: { valueName: 'FILE', description: 'The age identity file for an encrypted backup.' },
    drill: {
      description:
        'Test only: restore to a temporary PostgreSQL, verify the ledgers, and delete it. The server may run.',
    },
  },
  run: async ({ options, words: [given = ''] }) => {
    const config = readConfig();
    const backup = await openBackup(config, given, options.identity);
    return options.drill ? drillAnswer(config, backup) : restoreInto(config, backup);
  },
});

async function restoreInto(config: Config, backup: VerifiedBackup): Promise<CommandOutput> {
  const { manifest } = backup;
  const database = await openDatabase(config);
  try {
    if (database.kind === 'running') throw new Refusal('conflict', 'The server is running. Stop it first.');
    await prepareDatabase(database.ownerUrl);
    const { entries } = await loadBackup(database.ownerUrl, backup);
    if (backup.containsKey) await writeKey(config, backup.masterKey);
    const rows = rowsOf(backup);
    return {
      json: { restored: { at: manifest.at, rows, tables: manifest.tables.length, entries } },
      lines: [
        `${rows} rows of ${manifest.tables.length} tables restored as of ${manifest.at}`,
        `All row counts match the backup, and ${entries} ledger entries match their hashes.`,
        ...keyWarning(backup),
        'Start the server, then run: npm run sightline -- doctor',
      ],
    };
  } finally {
    await database.close();
  }
}

async function drillAnswer(config: Config, backup: VerifiedBackup): Promise<CommandOutput> {
  const { manifest } = backup;
  const { entries, ledgers, problems, seconds } = await runRestoreDrill(config, backup);
  const rows = rowsOf(backup);
  const failed = problems.length > 0;
  return {
    json: { drill: { at: manifest.at, rows, tables: manifest.tables.length, entries, ledgers, problems, seconds } },
    lines: [
      `${rows} rows of ${manifest.tables.length} tables as of ${manifest.at} can be restored. Duration: ${seconds} s.`,
      ...(failed
        ? ['These ledgers do not match their signed checkpoints:', ...problems.map((problem) => `  ${problem}`)]
        : [`${entries} entries in the ledgers of ${ledgers} organizations match their signed checkpoints.`]),
      ...keyWarning(backup),
      'The test database was deleted.',
    ],
    failed,
  };
}

/** Without a key on this machine, the author of the folder could have written any content. */
const keyWarning = ({ containsKey: bringsKey }: VerifiedBackup): string[] =>
  bringsKey ? ['The master key came with the backup, so the backup is not authenticated as yours.'] : [];

const rowsOf = ({ manifest }: VerifiedBackup): number => manifest.tables.reduce((sum, { rows }) => sum + rows, 0);

async function writeKey({ dataDir }: Config, masterKey: Buffer): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, 'master.key'), masterKey.toString('base64'), { mode: 0o600, flag: 'wx' });
}
