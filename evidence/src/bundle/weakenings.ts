import { isList, isRecord } from '../ledger/canonical.ts';
import { auditTargetAndData, entriesOfKinds, type IndexedEntry, recordedActionOf } from './parsed-entries.ts';
import { policyKinds } from './policies.ts';
import type { Period } from './scope.ts';
import type { RecordedWeakening, Weakening } from './weakening.ts';

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
                selfApproved: requester !== null && requester === by,
              },
            ],
      );
    });

const isWeakened = (value: unknown): value is RecordedWeakening =>
  isRecord(value as never) &&
  ['control', 'parameter', 'before', 'after'].every((name) => typeof (value as never)[name] === 'string');
