import type { PolicyVersion } from '@sightline/contract/compliance/policies.ts';
import type { RecordedWeakening } from '@sightline/evidence/bundle/weakening.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import type { ActivePolicy } from './effective.ts';
import { type PolicyDraft, plainRules } from './policy-rules.ts';
import { weakeningsOf } from './weakening.ts';

/** The change of a policy from its active version, if any, to the next state. */
export interface PolicyTransition {
  action: 'policy.created' | 'policy.changed' | 'policy.restored' | 'policy.deleted';
  id: string;
  /** The version that it replaces, archives or restores; 0 for a new policy. */
  base: number;
  /** The active version; undefined: not active. */
  was: PolicyVersion | undefined;
  /** The next version; undefined: archived. */
  draft: PolicyDraft | undefined;
}

/** Returns what a transition makes less strict, beside the policies that are active now. */
export const weakeningsOfTransition = (
  active: readonly (PolicyDraft & ActivePolicy)[],
  { id, base, draft }: Pick<PolicyTransition, 'id' | 'base' | 'draft'>,
): RecordedWeakening[] =>
  weakeningsOf({
    others: active.filter((one) => one.id !== id),
    before: active.find((one) => one.id === id),
    after: draft && { ...draft, id, version: base + 1 },
  });

/** A version of a policy as data of the audit log. */
export const auditDataOf = (draft: PolicyDraft) => ({ name: draft.name, mode: draft.mode, ...plainRules(draft) });

/** The versions before and after a transition, and what it weakens, as data of the audit log. */
export const auditChangeOf = (
  { was, draft }: Pick<PolicyTransition, 'was' | 'draft'>,
  weakened: readonly RecordedWeakening[],
): { readonly [key: string]: CanonicalValue } & {
  readonly before?: ReturnType<typeof auditDataOf>;
  readonly after?: ReturnType<typeof auditDataOf>;
} => ({
  ...(was && { before: auditDataOf(was) }),
  ...(draft && { after: auditDataOf(draft) }),
  ...(weakened.length > 0 && { weakened: weakened.map((one) => ({ ...one })) }),
});
