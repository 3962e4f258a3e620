import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import type { TriageTarget } from './targets.ts';

/** A decision about a finding, for its history and the audit log. */
export interface TriageDecision {
  target: Pick<TriageTarget, 'id' | 'repositoryId' | 'repository' | 'title'>;
  kind: DecisionKind;
  reason?: string;
  comment?: string;
  exceptionId?: string;
  until?: Date;
  /** Whether the account that decided about a waiver has the permission to do so. */
  heldRight?: boolean;
  /** The other finding of a merge or a split. */
  other?: { id: string; title: string };
  before?: { readonly [key: string]: CanonicalValue };
  after?: { readonly [key: string]: CanonicalValue };
}

export type DecisionKind =
  | 'dismissed'
  | 'reopened'
  | 'exception_requested'
  | 'exception_approved'
  | 'exception_refused'
  | 'exception_withdrawn'
  | 'exception_expired'
  | 'merged'
  | 'split';
