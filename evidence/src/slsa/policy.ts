import { toHex } from '../ledger/bytes.ts';
import { canonicalJson } from '../ledger/canonical.ts';
import { sha256 } from '../ledger/sha256.ts';
import { SLSA_VERSION, sourceRequirements } from './requirements.ts';

/** Increased with every change of the requirements, their facts or the meaning of the result. */
export const SOURCE_POLICY_VERSION = 1;

/** The policy that statements name: canonical JSON, whose SHA-256 is `policy.digest` of each statement. */
export const sourcePolicyText: string = canonicalJson({
  name: 'Sightline source policy',
  version: SOURCE_POLICY_VERSION,
  slsaVersion: SLSA_VERSION,
  requirements: sourceRequirements.map(({ id, level, title, fact }) => ({ id, level, title, fact })),
  unknown: 'A requirement with an unknown fact is not met.',
  continuity:
    'A control counts for a revision only if it was in force without interruption since the previous revision of the branch, which may not be a forced push.',
  result:
    'FAILED: the change certainly lacks a review or a check that the branch protection required at its merge. PASSED otherwise, with the highest level whose requirements, and those of all lower levels, are met.',
  twoPartyReviewed:
    'SLSA_SOURCE_TWO_PARTY_REVIEWED: the change, and every other change of the same push, has an independent approval as defined by CHG-01, also if the branch did not require one.',
});

export const sourcePolicySha256: string = toHex(sha256(sourcePolicyText));
