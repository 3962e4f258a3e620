/** A parameter of a control, or a field of a policy for it, that a change of a policy made less strict. */
export type Weakening = {
  /** Index of the entry of the change. */
  readonly entry: number;
  readonly at: string;
  readonly policy: string;
  readonly version: number;
  readonly parameter: string;
  /** Number of the affected repositories; null: all without a policy of their own. */
  readonly repositories: number | null;
  /** The values in words. */
  readonly before: string;
  readonly after: string;
  /** Opaque ID of the person who requested or made the change. */
  readonly author: string | null;
  /** Opaque ID of the other person who approved it; null: not independently approved. */
  readonly approver: string | null;
  /** Whether the author also approved the change, because no other member could. */
  readonly selfApproved: boolean;
};

/** A weakening as recorded in the entry of a change. */
export type RecordedWeakening = {
  readonly control: string;
} & Pick<Weakening, 'parameter' | 'repositories' | 'before' | 'after'>;

/** Whether the change was approved, in words. */
export const approvalText = ({ approver, selfApproved }: Pick<Weakening, 'approver' | 'selfApproved'>): string => {
  if (approver !== null) return 'Approved by another person';
  return selfApproved ? 'Approved by its author only, not independently approved' : 'Not independently approved';
};
