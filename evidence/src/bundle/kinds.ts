import { byCodeUnits } from '../controls/order.ts';
import { changeKind } from './change-tie.ts';
import { digestKinds } from './digests.ts';
import { policyKinds } from './policies.ts';
import { recordsKind } from './records.ts';
import { runKind } from './run-entry.ts';
import { waiverKinds } from './waivers.ts';

/** Kinds of entries of which a bundle holds all within its counted stretch. */
export const completeKinds: readonly string[] = [
  changeKind,
  ...digestKinds,
  ...waiverKinds,
  ...policyKinds,
  recordsKind,
  runKind,
].toSorted(byCodeUnits);

/** Kinds that policies, waivers and digests are told from. */
export const recordedKinds: readonly string[] = [...digestKinds, ...waiverKinds, ...policyKinds];

/** Kinds whose records are told of with what came before the stretch: how they began is in the bundle too. */
export const kindsWithHistory: readonly string[] = [...waiverKinds, ...policyKinds];
