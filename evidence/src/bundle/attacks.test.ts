import { beforeAll, describe, expect, test } from 'vitest';
import { controlIds } from '../controls/catalog.ts';
import { verdicts } from '../controls/verdicts.ts';
import { toHex } from '../ledger/bytes.ts';
import { parseVerifier } from '../ledger/note.ts';
import { sha256 } from '../ledger/sha256.ts';
import { attacks, otherKey, signAgain, signWithOtherKey } from './testing/attacks.ts';
import { appendChanges, buildTestBundle, createTestLedger, key, type TestBundle } from './testing/scene.ts';
import { bundleVectors, disclosureKeyVectors, evaluationVectors, otherVectors } from './testing/vectors.ts';
import { type VerificationReport, verifyBundle } from './verify.ts';

let made: TestBundle;
beforeAll(async () => {
  const log = createTestLedger();
  made = await buildTestBundle(log, appendChanges(log, 24));
});

test('accepts the unmodified bundle, also after it is signed again', async () => {
  expect(await verifyBundle(made.bundle, { keys: [key] })).toMatchObject({ valid: true });
  expect(signAgain(made.bundle, () => undefined)).toEqual(made.bundle);
  expect(attacks.length).toBeGreaterThanOrEqual(30);
});

describe('rejects the bundle of an operator with the key, and of others without it, if', () => {
  for (const { name, cook, step } of attacks) {
    test(name, async () => {
      const cooked = await cook(made);
      expect(cooked).not.toEqual(made.bundle);
      const report = await verifyBundle(cooked, { keys: [key] });
      expect(report.valid, report.sentence).toBe(false);
      expect(report.sentence).toContain('NOT VALID');
      expect(failedStepOf(report)).toBe(step);
      const unsigned = await verifyBundle(signWithOtherKey(cooked), { keys: [key] });
      expect(failedStepOf(unsigned), 'without the key').toBe(1);
    });
  }
});

const failedStepOf = ({ steps }: VerificationReport): number | null =>
  steps.find(({ state }) => state === 'failed')?.number ?? null;

test('returns the expected step for every test vector that is no attack', { tags: 'full' }, async () => {
  for await (const { name, bundle, previous, witness, disclosureKey, step } of otherVectors(made)) {
    const witnesses = witness === undefined ? [] : [parseVerifier(witness)];
    const report = await verifyBundle(bundle, { keys: [key], previous, witnesses, disclosureKey });
    expect.soft([report.valid, failedStepOf(report)], name).toEqual([step === null, step]);
  }
});

test('rejects a disclosure key that names another bundle', async () => {
  for await (const { name, bundle, disclosureKey, step } of disclosureKeyVectors()) {
    if (!name.endsWith('the disclosure key names another bundle')) continue;
    const report = await verifyBundle(bundle, { keys: [key], disclosureKey });
    expect([report.valid, failedStepOf(report)]).toEqual([false, step]);
    return;
  }
  throw new Error('No test vector has a disclosure key that names another bundle');
});

test('builds the same test vectors each time', { tags: 'full' }, async () => {
  const built = async () => {
    const bundles: string[] = [];
    for await (const { bundle } of bundleVectors([])) bundles.push(toHex(sha256(bundle)));
    return bundles;
  };
  expect(await built()).toEqual(await built());
});

test('has test vectors of evaluations with every verdict of every control', { tags: ['full'] }, () => {
  const vectors = evaluationVectors();
  const found = new Set(
    vectors.flatMap(({ control, evidence }) => evidence.map(({ verdict }) => `${control} ${verdict}`)),
  );
  expect(found.size).toBe(controlIds.length * verdicts.length);
});

test('accepts only the key of the log', async () => {
  expect(await verifyBundle(made.bundle, { keys: [otherKey] })).toMatchObject({ valid: false });
  expect(await verifyBundle(made.bundle, { keys: [] })).toMatchObject({ valid: false });
});

test('rejects every changed byte', { tags: ['full'], timeout: 600_000 }, async () => {
  const log = createTestLedger();
  const { bundle } = await buildTestBundle(log, appendChanges(log, 2));
  for (let at = 0; at < bundle.length; at += 1) {
    const flipped = bundle.slice();
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
    const { valid } = await verifyBundle(flipped, { keys: [key] });
    expect(valid, `byte ${at}`).toBe(false);
  }
});
