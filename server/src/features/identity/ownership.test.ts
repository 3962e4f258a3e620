import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { propertyRuns } from '../../../../scripts/properties.ts';
import { type Step, TwoPeople } from './testing/two-people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ environment: { PASSWORD_HASH_COST: '1024', DATABASE_POOL: '16' } });
});
afterAll(() => server.close());

const who = fc.constantFrom('owner', 'stranger');
const mail = fc.nat(2);
const models = ['EmailConfirmation', 'PasswordReset', 'PendingIdentity'] as const;
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ who, does: fc.constant('sign up') }) },
  { weight: 3, arbitrary: fc.record({ who, does: fc.constant('return from upstream'), vouched: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ who, does: fc.constant('enter address') }) },
  { weight: 4, arbitrary: fc.record({ who, does: fc.constantFrom('start anew', 'resend', 'ask for reset', 'sign in') }) },
  { weight: 4, arbitrary: fc.record({ who: fc.constant('owner'), does: fc.constantFrom('confirm', 'reset'), mail }) },
  { weight: 1, arbitrary: fc.record({ who: fc.constant('owner'), does: fc.constantFrom('link', 'unlink') }) },
  { weight: 4, arbitrary: fc.constant({ who: 'clock', does: 'deliver mail', what: 'EmailConfirmation' }) },
  { weight: 1, arbitrary: fc.record({ who: fc.constant('clock'), does: fc.constant('expire'), what: fc.constantFrom(...models) }) },
) as fc.Arbitrary<Step>;
const steps = fc.array(fc.oneof({ weight: 8, arbitrary: fc.tuple(step) }, { weight: 1, arbitrary: fc.tuple(step, step) }), {
  minLength: 4,
  maxLength: 16,
});

const LANES = 8;

test('only the owner of a mailbox opens its account, whatever a stranger does before, between and at once', async () => {
  const { seed = 1 } = fc.readConfigureGlobal();
  const lane = (offset: number) =>
    fc.assert(
      fc.asyncProperty(steps, (walk) => new TwoPeople(server).walk(walk)),
      { seed: seed + offset, numRuns: Math.ceil(propertyRuns(200) / LANES) },
    );
  const started = performance.now();
  await Promise.all(Array.from({ length: LANES }, (_, offset) => lane(offset)));
  console.log(performance.now() - started);
});
