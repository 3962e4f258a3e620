import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditorResultOf } from '@sightline/evidence/auditors/auditor-result.ts';
import { canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandLine } from './run.ts';

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-results-'));
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', at('key.pem')], { stdio: 'pipe' });
  await writeFile(at('bundle.zip'), 'bundle');
  await writeFile(at('other.zip'), 'other');
  const sha256 = createHash('sha256').update('bundle').digest('hex');
  const sample = { name: 'Merges', control: 'CHG-01', snapshot: 's', method: 'all', seed: null, reason: '' };
  const result = auditorResultOf({
    id: '0190aaaa-0000-4000-8000-000000000001',
    title: 'SOC 2',
    auditor: 'Petra Prüfer',
    organization: 'Acme',
    madeAt: '2026-11-29T12:00:00.000Z',
    snapshots: [
      {
        id: 's',
        name: 'Quarter 3',
        period: { from: '2026-07-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' },
        bundle: { name: 'bundle.zip', sha256 },
      },
    ],
    samples: [{ ...sample, id: 'one', population: 2, size: 2, conclusion: 'effective', note: '', rows: [] }],
  });
  await writeFile(at('result.json'), canonicalJson(result));
});
afterAll(() => rm(folder, { recursive: true }));

test('signs the result of an auditor with a key of OpenSSL, and verifies it with the key and the bundles', async () => {
  const sign = ['result', 'sign', at('result.json'), '--private-key', at('key.pem'), '--output', at('signed.json')];
  const signed = await runCommandLine([...sign, '--json']);
  expect(signed).toMatchObject({ code: 0 });
  const { keyId } = (JSON.parse(signed.out) as { result: { keyId: string } }).result;
  const der = execFileSync('openssl', ['pkey', '-in', at('key.pem'), '-pubout', '-outform', 'DER'], { stdio: 'pipe' });
  expect(keyId).toBe(createHash('sha256').update(der).digest('hex'));
  // A signed result is never overwritten.
  expect((await runCommandLine(sign)).errorOutput).toContain('--output cannot be written');

  const verify = (...more: string[]) => runCommandLine(['result', 'verify', at('signed.json'), ...more]);
  const good = await verify('--key-id', keyId, '--bundle', at('bundle.zip'));
  expect(good).toMatchObject({ code: 0 });
  expect(good.out).toContain('CHG-01: Merges: effective');
  expect(good.out).toContain('VALID: signed by the key, about 1 given bundles');
  const elsewhere = await verify('--key-id', keyId, '--bundle', `${at('bundle.zip')},${at('other.zip')}`);
  expect([elsewhere.code, elsewhere.out]).toEqual([
    1,
    expect.stringMatching(/NOT VALID:\nIt is not about .*other\.zip/),
  ]);
  expect((await verify('--key-id', 'ab'.repeat(32))).out).toContain('It is signed by another key.');

  const envelope = JSON.parse(await readFile(at('signed.json'), 'utf8')) as { payload: string };
  const changed = Buffer.from(envelope.payload, 'base64').toString().replace('effective', 'exception');
  await writeFile(at('signed.json'), JSON.stringify({ ...envelope, payload: Buffer.from(changed).toString('base64') }));
  expect((await verify('--key-id', keyId)).errorOutput).toContain('The signature does not match the result');
});

test('signs nothing that is no result', async () => {
  await writeFile(at('empty.json'), '{}');
  const sign = ['result', 'sign', at('empty.json'), '--private-key', at('key.pem'), '--output', at('none.json')];
  expect((await runCommandLine(sign)).errorOutput).toContain('not OSCAL assessment results');
  await expect(readFile(at('none.json'))).rejects.toThrow(/ENOENT/);
});
