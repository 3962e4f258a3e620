/** The version of the SLSA specification whose source track is evaluated. */
export const SLSA_VERSION = '1.2';

interface SourceRequirement {
  /** The anchor of the requirement in the specification. */
  readonly id: string;
  /** The lowest level of the source track that needs it. */
  readonly level: 1 | 2 | 3 | 4;
  readonly title: string;
  /** The recorded fact that it is derived from. */
  readonly fact: string;
}

/**
 * Every requirement of the SLSA 1.2 source track. A requirement is met only if all facts are recorded and none
 * contradicts it; an unknown fact leaves it unknown.
 */
export const sourceRequirements = [
  {
    id: 'choose-scs',
    level: 1,
    title: 'Choose an appropriate source control system',
    fact: 'The change is recorded from a code host.',
  },
  {
    id: 'repository-ids',
    level: 1,
    title: 'Repositories are uniquely identifiable',
    fact: 'The record contains the ID that the code host gave the repository.',
  },
  {
    id: 'revision-ids',
    level: 1,
    title: 'Revisions are immutable and uniquely identifiable',
    fact: 'The record contains the commit ID of the revision, which is a digest of its content.',
  },
  {
    id: 'human-readable-diff',
    level: 1,
    title: 'Human readable changes',
    fact: 'Each of the three code hosts shows the differences between two commits.',
  },
  {
    id: 'source-summary',
    level: 1,
    title: 'Source verification summary attestations',
    fact: 'This statement, which the organization signs for every recorded change.',
  },
  {
    id: 'access-and-history',
    level: 2,
    title: 'Configure the source control system to control access and enforce history',
    fact: 'Every snapshot since the previous revision blocks force pushes and deletion of the branch, and blocks that any tag is moved or deleted.',
  },
  {
    id: 'safe-expunging-process',
    level: 2,
    title: 'Safe expunging process',
    fact: 'This policy accepts no expunging: neither this push nor the one before was forced, and no push between them is missing.',
  },
  {
    id: 'history',
    level: 2,
    title: 'History',
    fact: 'The push of the revision is recorded with its time, pusher and both commits. It starts where the previous recorded push ended, and was not forced.',
  },
  {
    id: 'continuity',
    level: 2,
    title: 'Continuity',
    fact: 'Snapshots cover the whole time since the previous revision without a gap, the repository was not disabled in it, and history was enforced throughout.',
  },
  {
    id: 'identity-management',
    level: 2,
    title: 'Identity management',
    fact: 'The code host reported the account that pushed the revision.',
  },
  {
    id: 'source-provenance',
    level: 2,
    title: 'Source provenance',
    fact: 'The first version of the record, with its ledger entry, was written at most 75 minutes after the change.',
  },
  {
    id: 'technical-controls',
    level: 3,
    title: 'Continuous technical controls',
    fact: 'Every snapshot since the previous revision required a review or a check and permitted no bypass, and the change met the reviews and checks that were required at its merge.',
  },
  {
    id: 'protected-refs',
    level: 3,
    title: 'Protected named references',
    fact: 'A snapshot that is valid at the merge contains the required reviews, the required checks and who can bypass them.',
  },
  {
    id: 'two-party-review',
    level: 4,
    title: 'Two-party review',
    fact: 'Every snapshot since the previous revision required a review, dismissed approvals after a new push and permitted no bypass. The change, and every other change of the same push, has an independent approval as defined by CHG-01.',
  },
] as const satisfies readonly SourceRequirement[];

export type SourceRequirementId = (typeof sourceRequirements)[number]['id'];
export type SourceLevel = 0 | 1 | 2 | 3 | 4;
