import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { toBase64, utf8 } from '../ledger/bytes.ts';
import { canonicalJson } from '../ledger/canonical.ts';
import { type AuditorResult, auditorResultOf } from './auditor-result.ts';
import { privatePemOf, secretKeyOfPem, signResult, verifyResult } from './signed-result.ts';

const key = new Uint8Array(32).fill(7);
const result: AuditorResult = {
  id: '0190aaaa-0000-4000-8000-000000000001',
  title: 'SOC 2',
  auditor: 'Petra Prüfer',
  organization: 'Acme',
  madeAt: '2026-11-29T12:00:00.000Z',
  snapshots: ['one', 'two'].map((id) => ({
    id,
    name: `Snapshot\n${id}`,
    period: { from: '2026-07-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' },
    bundle: { name: `${id}.zip`, sha256: 'ab'.repeat(32) },
  })),
  samples: (['exception', 'effective', 'inconclusive'] as const).map((conclusion) => ({
    id: conclusion,
    name: `Merges ${conclusion}`,
    control: 'CHG-01',
    snapshot: 'one',
    method: 'random',
    seed: 'dice',
    population: 12,
    size: 2,
    reason: '',
    conclusion,
    note: '',
    rows:
      conclusion === 'exception'
        ? [{ position: 3, subject: 'c3', conclusion, note: 'No approval.', writtenAt: '2026-11-29T11:00:00.000Z' }]
        : [],
  })),
};
const text = canonicalJson(auditorResultOf(result));

test('builds assessment results that the schema of OSCAL accepts', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../bundle/testing/assessment-results-1.2.1.schema.json', import.meta.url), 'utf8'),
  );
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  expect([validate(JSON.parse(text)), validate.errors]).toEqual([true, null]);
});

test('verifies a signed result with its findings and bundles', () => {
  const verified = verifyResult(JSON.parse(JSON.stringify(signResult(text, key))));
  expect(verified.keyId).toMatch(/^[0-9a-f]{64}$/);
  expect(verified.bundles).toEqual(['ab'.repeat(32)]);
  expect(verified.findings.map(({ conclusion, isSatisfied }) => [conclusion, isSatisfied])).toEqual([
    ['exception', false],
    ['effective', true],
    ['inconclusive', false],
  ]);
});

test('rejects results that were changed, are signed by another key, or are no assessment results', () => {
  const signed = signResult(text, key);
  const other = signResult(text, new Uint8Array(32).fill(8));
  const changed = toBase64(utf8(text.replace('exception', 'effective')));
  const dangling = text.replace('"import-ap":{"href":"#', '"import-ap":{"href":"#0');
  for (const [value, message] of [
    [{ ...signed, payload: changed }, 'does not match'],
    [{ ...signed, publicKey: other.publicKey }, 'another key'],
    [
      {
        ...signed,
        publicKey: other.publicKey,
        signatures: [{ ...signed.signatures[0], keyid: other.signatures[0]?.keyid }],
      },
      'does not match',
    ],
    [{ ...signed, signatures: [] }, 'exactly one signature'],
    [{ ...signed, payloadType: 'application/json' }, 'not a signed envelope'],
    [{ ...signed, publicKey: 'key' }, 'Not an Ed25519 public key'],
    [signResult('{}', key), 'not OSCAL'],
    [signResult(dangling, key), 'without a target'],
    [null, 'not a signed envelope'],
  ] as const)
    expect(() => verifyResult(value)).toThrow(message);
});

test('reads keys of OpenSSL, and writes keys that it reads', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  expect(privatePemOf(secretKeyOfPem(pem)).replace(/\s/g, '')).toBe(pem.replace(/\s/g, ''));
  expect(() => secretKeyOfPem(pem.replace('PRIVATE', 'RSA PRIVATE'))).toThrow('Not an Ed25519 private key');
});

test('needs a sample', () => {
  expect(() => auditorResultOf({ ...result, samples: [] })).toThrow('at least one sample');
});
