import { byCodeUnits } from '../controls/order.ts';
import { changeKind } from './change-entries.ts';
import { digestKinds } from './digests.ts';
import { policyKinds } from './policies.ts';
import { recordsKind } from './records.ts';
import { evaluationKind, remediationKinds } from './remediations.ts';
import { repositoryKinds } from './repositories.ts';
import { runKind } from './run-entry.ts';
import { waiverKinds } from './waivers.ts';

/** Kinds of entries that a bundle must contain completely within its counted range. */
export const completeKinds: readonly string[] = [
  changeKind,
  ...digestKinds,
  ...waiverKinds,
  ...policyKinds,
  ...remediationKinds,
  ...repositoryKinds,
  recordsKind,
  runKind,
].toSorted(byCodeUnits);

/** Kinds whose records include entries from before the counted range. */
export const kindsWithHistory: readonly string[] = [
  ...waiverKinds,
  ...policyKinds,
  ...remediationKinds,
  ...repositoryKinds,
];

/**
 * Kinds from which repositories, policies, waivers, remediations and digests are derived. Of evaluations, a bundle has
 * those to which remediations refer.
 */
export const recordedKinds: readonly string[] = [...digestKinds, ...kindsWithHistory, evaluationKind];
