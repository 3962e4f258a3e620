import { byCodeUnits } from '../controls/order.ts';
import { changeKind } from './change-tie.ts';
import { digestKinds } from './digests.ts';
import { exceptionKinds } from './exceptions.ts';
import { policyKinds } from './policies.ts';
import { recordsKind } from './records.ts';
import { runKind } from './run-entry.ts';

/** Kinds of entries of which a bundle holds all within its counted stretch. */
export const wholeKinds: readonly string[] = [
  changeKind,
  ...digestKinds,
  ...exceptionKinds,
  ...policyKinds,
  recordsKind,
  runKind,
].toSorted(byCodeUnits);

/** Kinds that policies, exceptions and digests are told from. */
export const recordedKinds: readonly string[] = [...digestKinds, ...exceptionKinds, ...policyKinds];

/** Kinds whose records are told of with what came before the stretch: how they began is in the bundle too. */
export const toldFromTheirBeginning: readonly string[] = [...exceptionKinds, ...policyKinds];
