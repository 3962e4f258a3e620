import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packZipFile, zipWriter } from '@sightline/evidence/bundle/zip-write.ts';
import { entryText } from '@sightline/evidence/ledger/entry.ts';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import type { TestServer } from '#testing/server.ts';

/** Inserts a ready snapshot with a bundle that contains the files that portals read. */
export async function insertSnapshot(
  { config }: TestServer,
  { db }: Tx,
  { orgId, owner, name }: { orgId: string; owner: string; name: string },
): Promise<string> {
  const id = newId();
  const content = bundleOf(orgId, name);
  const sha256 = createHash('sha256').update(content).digest();
  const folder = join(config.dataDir, 'bundles', orgId);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${sha256.toString('hex')}.zip`), content);
  // Portals with pseudonyms offer the bundle without names of people.
  await writeFile(join(folder, `${id}.names.${sha256.toString('hex')}.zip`), content);
  await db
    .insertInto('snapshot')
    .values({
      org_id: orgId,
      id,
      name: `Snapshot of ${name}`,
      period_from: '2026-01-01Z',
      period_to: '2026-04-01Z',
      controls: ['LOG-01'],
      redaction: 'none',
      created_by: owner,
      state: 'ready',
      results: '[]',
      bundle_sha256: sha256,
      bytes: String(content.length),
    })
    .execute();
  return id;
}

/** One control with one row, and one change: entry 1 of the ledger. */
function bundleOf(orgId: string, name: string): Buffer {
  const at = '2026-01-01T00:00:00.000Z';
  const entry = entryText({
    commitments: [],
    asOf: at,
    receivedAt: at,
    id: newId(),
    kind: 'change',
    org: orgId,
    person: null,
    source: 'github',
    subject: { repository: name },
  });
  const control = {
    status: 'passing',
    completeness: [],
    exclusions: [],
    weakenings: [],
    settings: [],
    run: 1,
    rowsSha256: '0'.repeat(64),
    counts: { population: 1, pass: 1, fail: 0, waived: 0, missing_evidence: 0 },
    sample: { seed: name },
  };
  const day = '2026-01-01';
  const evaluated = {
    row: { subject: `${day} of ${name}`, day, repository: null, leaf: null, leaves: [], waivers: [] },
    verdict: 'pass',
    reasons: ['ledger_intact'],
    setting: 0,
  };
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  const files: [path: string, text: string][] = [
    ['changes.jsonl', line({ index: 1, parts: {} })],
    ['controls/LOG-01.json', JSON.stringify(control)],
    ['evidence/LOG-01.jsonl', line(evaluated)],
    ['keys/vkey.txt', `${name}\n`],
    ['ledger/entries.jsonl', line({ index: 1, entry, proof: [] })],
  ];
  const zip = zipWriter();
  const pieces = files.flatMap(([path, text]) => zip.add(packZipFile(path, Buffer.from(text))));
  const period = { from: at, to: '2026-04-01T00:00:00.000Z' };
  const evaluatedTree = { size: 2, root: '' };
  const manifest = JSON.stringify({ org: { name }, evaluated: evaluatedTree, period, controls: ['LOG-01'], files: [] });
  return Buffer.concat([...pieces, ...zip.end('manifest.json', Buffer.from(manifest))]);
}
