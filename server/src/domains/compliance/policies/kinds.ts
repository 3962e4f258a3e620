import { type PolicyKind, policyKinds } from '@sightline/contract/compliance/policies.ts';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import { controlOf } from '../controls/catalog.ts';

/** The controls whose parameters a policy of each kind can set. No policy sets those of the ledger control. */
export const controlsOfKind = Object.fromEntries(
  policyKinds.map((kind) => [kind, controlIds.filter((id) => controlOf(id).policies.includes(kind))]),
) as unknown as Readonly<Record<PolicyKind, readonly ControlId[]>>;
