import { isList, isRecord } from '../ledger/canonical.ts';
import { auditTargetAndData, entriesOfKinds, type IndexedEntry, recordedActionOf } from './parsed-entries.ts';
import { policyKinds } from './policies.ts';
import type { Period } from './scope.ts';

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
};

/** Returns the weakenings of a control in the period, from entries below the ledger size `size`, in ledger order. */
export const weakeningsIn = (
  entries: Iterable<IndexedEntry>,
  size: number,
  { from, to }: Period,
  control: string,
): readonly Weakening[] =>
  entriesOfKinds(entries, policyKinds, size)
    .filter(({ asOf }) => asOf >= from && asOf < to)
    .flatMap((entry) => {
      const { entry: index, at, by } = recordedActionOf(entry);
      const { id, data } = auditTargetAndData(entry);
      const requester = typeof data.requestedBy === 'string' ? data.requestedBy : null;
      const weakened = isList(data.weakened ?? null) ? (data.weakened as readonly unknown[]) : [];
      return weakened.filter(isWeakened).flatMap(({ control: of, parameter, repositories, before, after }) =>
        of !== control
          ? []
          : [
              {
                entry: index,
                at,
                policy: id,
                version: Number(data.version),
                parameter,
                repositories,
                before,
                after,
                author: requester ?? by,
                approver: requester === null || requester === by ? null : by,
              },
            ],
      );
    });

/** A weakening as recorded in the entry of a change. */
export type RecordedWeakening = {
  readonly control: string;
} & Pick<Weakening, 'parameter' | 'repositories' | 'before' | 'after'>;

const isWeakened = (value: unknown): value is RecordedWeakening =>
  isRecord(value as never) &&
  ['control', 'parameter', 'before', 'after'].every((name) => typeof (value as never)[name] === 'string');

/** Whether the change was approved, in words. */
export const approvalText = ({ approver }: Pick<Weakening, 'approver'>): string =>
  approver === null ? 'Not independently approved' : 'Approved by another person';
