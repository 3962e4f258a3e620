import { type Mutation, mutation } from '../guard.ts';

const cli = 'server/src/cli';
const tests = 'cli/backup/backup.test.ts';

export const backupsGuards: readonly Mutation[] = [
  mutation(
    'fails a backup that row-level security would filter',
    `${cli}/backup/write.ts`,
    'set local row_security = off; ',
    '',
    tests,
  ),
  mutation(
    'requires the key of the backup to restore',
    `${cli}/backup/open-backup.ts`,
    '.find((key) => backup.isKey(key))',
    '.find(() => true)',
    tests,
  ),
  mutation(
    'rejects a changed file',
    `${cli}/backup/manifest.ts`,
    'if (found !== sha256)',
    'if (found === undefined)',
    tests,
  ),
  mutation('rejects a changed manifest', `${cli}/backup/manifest.ts`, ' || !timingSafeEqual(given, mac)', '', tests),
  mutation(
    'rejects a manifest without an HMAC',
    `${cli}/backup/manifest.ts`,
    'if (given.length !== mac.length || !timingSafeEqual(given, mac))',
    'if (given.length === mac.length && !timingSafeEqual(given, mac))',
    tests,
  ),
  mutation(
    'rejects a backup with an added file',
    `${cli}/backup/manifest.ts`,
    '  if (added !== undefined) throw changed(added);\n',
    '',
    tests,
  ),
  mutation(
    'encrypts every file of an encrypted backup',
    `${cli}/backup/write.ts`,
    'await pipeline(rows, createGzip(), encrypt, ',
    'await pipeline(rows, createGzip(), ',
    tests,
  ),
  mutation(
    'encrypts the master key in an encrypted backup',
    `${cli}/backup/write.ts`,
    'await pipeline(text, encrypt, ',
    'await pipeline(text, ',
    tests,
  ),
  mutation(
    'fails a trial restore when a ledger does not match its signed checkpoints',
    `${cli}/restore.ts`,
    'const failed = problems.length > 0;',
    'const failed = false;',
    tests,
  ),
  mutation(
    'restores only to an empty instance',
    `${cli}/backup/load.ts`,
    'if (!rows[0]?.used) return;',
    'return;',
    tests,
  ),
];
