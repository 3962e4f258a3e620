import { beforeAll, describe, expect, test } from 'vitest';
import { isFullSuite } from '../../../scripts/full-suite.ts';
import { attacks, otherKey, signAgain, signWithOtherKey } from './testing/attacks.ts';
import { appendChanges, buildTestBundle, createTestLedger, key, type TestBundle } from './testing/scene.ts';
import { verifyBundle } from './verify.ts';

let made: TestBundle;
beforeAll(async () => {
  const log = createTestLedger();
  made = await buildTestBundle(log, appendChanges(log, 25));
});

test('accepts the unmodified bundle, also after it is signed again', async () => {
  expect(await verifyBundle(made.bundle, { keys: [key] })).toMatchObject({ valid: true });
  expect(signAgain(made.bundle, () => undefined)).toEqual(made.bundle);
  expect(attacks.length).toBeGreaterThanOrEqual(30);
});

describe('rejects the bundle of an operator with the key, and of others without it, if', () => {
  for (const { name, cook } of attacks) {
    test(name, async () => {
      const cooked = await cook(made);
      expect(cooked).not.toEqual(made.bundle);
      const report = await verifyBundle(cooked, { keys: [key] });
      expect(report.valid, report.sentence).toBe(false);
      expect(report.sentence).toContain('NOT VALID');
      const { steps } = await verifyBundle(signWithOtherKey(cooked), { keys: [key] });
      expect(steps[0]?.state, 'without the key').toBe('failed');
    });
  }
});

test('accepts only the key of the log', async () => {
  expect(await verifyBundle(made.bundle, { keys: [otherKey] })).toMatchObject({ valid: false });
  expect(await verifyBundle(made.bundle, { keys: [] })).toMatchObject({ valid: false });
});

// One byte out of 97, each with another flipped bit. The full suite tests every byte.
const step = isFullSuite ? 1 : 97;

test('rejects every changed byte', async () => {
  const log = createTestLedger();
  const { bundle } = await buildTestBundle(log, appendChanges(log, 2));
  for (let at = 0; at < bundle.length; at += step) {
    const flipped = bundle.slice();
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
    const { valid } = await verifyBundle(flipped, { keys: [key] });
    expect(valid, `byte ${at}`).toBe(false);
  }
}, 120_000);
