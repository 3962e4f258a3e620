import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { csvOf } from '@sightline/evidence/bundle/csv.ts';
import { hostileCells } from '@sightline/evidence/bundle/testing/cells.ts';
import { expect, test } from 'vitest';

const office = ['soffice', 'libreoffice'];
const program = await Promise.all(
  office.map((name) =>
    promisify(execFile)(name, ['--version']).then(
      () => name,
      () => undefined,
    ),
  ),
).then((found) => found.find((name) => name !== undefined));
if (program === undefined) console.log('Skipped: a CSV in LibreOffice. Install `soffice` to open and check it.');

test.skipIf(program === undefined)('LibreOffice evaluates no cell as a formula', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-csv-'));
  try {
    await writeFile(join(folder, 'cells.csv'), csvOf(hostileCells.map((text) => [text, 1])));
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    await promisify(execFile)(program ?? '', [
      profile,
      '--headless',
      '--convert-to',
      'fods',
      '--outdir',
      folder,
      join(folder, 'cells.csv'),
    ]);
    expect(await readFile(join(folder, 'cells.fods'), 'utf8')).not.toContain('table:formula');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
