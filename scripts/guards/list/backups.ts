import { type Mutation, mutation } from '../guard.ts';

const cli = 'server/src/cli';
const tests = 'cli/backup/backup.test.ts';

export const backupsGuards: readonly Mutation[] = [
  mutation(
    'A backup is read with every row or not at all',
    `${cli}/backup/write.ts`,
    'set local row_security = off; ',
    '',
    tests,
  ),
  mutation(
    'A restore needs the key of the backup',
    `${cli}/backup/open.ts`,
    '.find((key) => backup.isKey(key))',
    '.find(() => true)',
    tests,
  ),
  mutation(
    'A changed file is not restored',
    `${cli}/backup/manifest.ts`,
    'if (found !== sha256)',
    'if (found === undefined)',
    tests,
  ),
  mutation(
    'A changed manifest is not restored',
    `${cli}/backup/manifest.ts`,
    ' || !timingSafeEqual(given, mac)',
    '',
    tests,
  ),
  mutation(
    'A backup without its HMAC is not restored',
    `${cli}/backup/manifest.ts`,
    'if (given.length !== mac.length || !timingSafeEqual(given, mac))',
    'if (given.length === mac.length && !timingSafeEqual(given, mac))',
    tests,
  ),
  mutation(
    'A backup with an added file is not restored',
    `${cli}/backup/manifest.ts`,
    '  if (added !== undefined) throw changed(added);\n',
    '',
    tests,
  ),
  mutation(
    'Every file of an encrypted backup is encrypted',
    `${cli}/backup/write.ts`,
    'await pipeline(rows, createGzip(), encrypt, ',
    'await pipeline(rows, createGzip(), ',
    tests,
  ),
  mutation(
    'The master key in an encrypted backup is encrypted',
    `${cli}/backup/write.ts`,
    'await pipeline(text, encrypt, ',
    'await pipeline(text, ',
    tests,
  ),
  mutation(
    'A trial restore fails where a ledger does not match the signed checkpoints',
    `${cli}/restore.ts`,
    'const failed = problems.length > 0;',
    'const failed = false;',
    tests,
  ),
  mutation(
    'A used installation is not restored over',
    `${cli}/backup/load.ts`,
    'if (!rows[0]?.used) return;',
    'return;',
    tests,
  ),
];
