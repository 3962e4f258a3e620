import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type VectorTable, writeVectors } from '@sightline/evidence/bundle/testing/write-vectors.ts';
import type { VerificationReport } from '@sightline/evidence/bundle/verify.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandLine } from './run.ts';

// docs/format/README.md: a table of bundles with the expected results, from the files that a release contains.

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-vectors-'));
  await writeVectors(folder);
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

test('verify returns the expected step for every test vector', { tags: 'full', timeout: 300_000 }, async () => {
  const table = JSON.parse(await readFile(join(folder, 'vectors.json'), 'utf8')) as VectorTable;
  expect(table.bundles.length).toBeGreaterThan(200);
  for (const { file, name, previous, witness, disclosureKey, step } of table.bundles) {
    const more = [
      ...(previous ? ['--previous', join(folder, previous)] : []),
      ...(witness ? ['--witness', witness] : []),
      ...(disclosureKey ? ['--disclosure-key', join(folder, disclosureKey)] : []),
    ];
    const { code, out } = await runCommandLine(['verify', join(folder, file), '--key', table.key, '--json', ...more]);
    const { steps } = (JSON.parse(out) as { verification: VerificationReport }).verification;
    const failed = steps.find(({ state }) => state === 'failed')?.number ?? null;
    expect.soft([code, failed], name).toEqual([step === null ? 0 : 1, step]);
  }
});
