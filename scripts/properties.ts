import fc from 'fast-check';
import { isFullSuite } from './full-suite.ts';

const { FUZZ_SEED } = process.env;

// Property tests start with a fixed seed, so that a check gives the same result for the same code. `npm run fuzz` uses
// other seeds.
fc.configureGlobal(FUZZ_SEED ? { seed: Number(FUZZ_SEED), numRuns: 1000 } : { seed: 20261122 });

/**
 * Returns `numRuns` of a property that does not run the usual 100 times: ten times as many in `npm run test:full`, and
 * `fuzzed` in each round of `npm run fuzz`.
 */
export const propertyRuns = (count: number, fuzzed = 10 * count): number =>
  FUZZ_SEED ? fuzzed : isFullSuite ? 10 * count : count;

/** Characters for `fc.string`: the same as `unit: 'binary'`, whose setup needs 1.3 s of CPU in every worker. */
export const anyCharacter = fc
  .oneof({ weight: 3, arbitrary: fc.nat(0x7f) }, fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(String.fromCodePoint, (character) => {
    // Allows fast-check to add `__proto__` and similar names.
    if (typeof character !== 'string' || [...character].length !== 1) throw new Error('Not one character');
    return character.codePointAt(0) ?? 0;
  });
