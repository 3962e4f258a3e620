import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { propertyRuns } from '../../../../../scripts/properties.ts';
import { type SignInStep, TwoPeople } from './testing/two-people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ environment: { DATABASE_POOL: '16' } });
});
afterAll(() => server.close());

const who = fc.constantFrom('owner', 'stranger');
/** Usually the newest email. */
const mail = fc.constantFrom(0, 0, 0, 0, 1, 2);
const vouched = fc.constantFrom(false, false, false, true);
const owner = fc.constant('owner');
const clock = fc.constant('clock');
const otherSteps = fc.constantFrom('start anew', 'resend', 'ask for reset', 'sign in');
const models = fc.constantFrom('EmailConfirmation', 'PasswordReset', 'PendingIdentity');
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ who, does: fc.constant('sign up') }) },
  { weight: 3, arbitrary: fc.record({ who, does: fc.constant('return from upstream'), vouched }) },
  { weight: 4, arbitrary: fc.record({ who, does: fc.constant('enter address') }) },
  { weight: 5, arbitrary: fc.record({ who: owner, does: fc.constant('confirm'), mail }) },
  { weight: 2, arbitrary: fc.record({ who: owner, does: fc.constant('reset'), mail }) },
  { weight: 3, arbitrary: fc.record({ who, does: otherSteps }) },
  { weight: 1, arbitrary: fc.record({ who: owner, does: fc.constantFrom('link', 'unlink') }) },
  { weight: 2, arbitrary: fc.record({ who: clock, does: fc.constant('deliver mail') }) },
  { weight: 1, arbitrary: fc.record({ who: clock, does: fc.constant('expire'), what: models }) },
) as fc.Arbitrary<SignInStep>;

/** Sometimes two steps run concurrently. */
const sequences = fc.array(
  fc.oneof({ weight: 8, arbitrary: fc.tuple(step) }, { weight: 1, arbitrary: fc.tuple(step, step) }),
  { minLength: 4, maxLength: 14 },
);

/** Concurrent sequences: each spends most of its time waiting for the database. */
const LANES = 8;
/** 20,000 sequences in the ten rounds of `npm run fuzz`. */
const SEQUENCES_PER_FUZZ_ROUND = 2000;
const FUZZ_TIMEOUT_MS = 30 * 60_000;

test(
  'only the owner of a mailbox can open its account, regardless of the actions of an attacker',
  async () => {
    const { seed = 0 } = fc.readConfigureGlobal();
    const numRuns = Math.ceil(propertyRuns(24, SEQUENCES_PER_FUZZ_ROUND) / LANES);
    const property = fc.asyncProperty(sequences, (steps) => new TwoPeople(server).walk(steps));
    await Promise.all(Array.from({ length: LANES }, (_, lane) => fc.assert(property, { seed: seed + lane, numRuns })));
  },
  FUZZ_TIMEOUT_MS,
);
