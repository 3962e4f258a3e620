import { type Guard, guard } from '../guard.ts';

const cli = 'server/src/cli';
const tests = 'cli/backup/backup.test.ts';

export const backupsGuards: readonly Guard[] = [
  guard(
    'A backup is read with every row or not at all',
    `${cli}/backup/write.ts`,
    'set local row_security = off; ',
    '',
    tests,
  ),
  guard(
    'A restore needs the key of the backup',
    `${cli}/restore.ts`,
    ' || !isKeyOf(manifest, createSecrets(key))',
    '',
    tests,
  ),
  guard(
    'A changed file is not restored',
    `${cli}/backup/manifest.ts`,
    'if (found !== sha256)',
    'if (found === undefined)',
    tests,
  ),
  guard(
    'A used installation is not restored over',
    `${cli}/backup/load.ts`,
    'if (!rows[0]?.used) return;',
    'return;',
    tests,
  ),
];
