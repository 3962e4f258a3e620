import { byCodeUnits } from '../controls/order.ts';
import type { CanonicalValue } from '../ledger/canonical.ts';
import {
  auditTargetAndData,
  type EntryValues,
  entriesOfKinds,
  type IndexedEntry,
  type RecordedAction,
  recordedActionOf,
  valuesOf,
} from './parsed-entries.ts';
import type { Period } from './scope.ts';

const [created, changed, restored, deleted] = [
  'audit.policy.created',
  'audit.policy.changed',
  'audit.policy.restored',
  'audit.policy.deleted',
] as const;
export const policyKinds: readonly string[] = [created, changed, restored, deleted];

/** A version of a policy: its parameters, and the entries that created and ended it. */
export interface PolicyVersion {
  readonly id: string;
  readonly version: number;
  readonly name: CanonicalValue;
  readonly kind: CanonicalValue;
  readonly mode: CanonicalValue;
  readonly scope: CanonicalValue;
  readonly settings: CanonicalValue;
  /** Null: in an earlier epoch of the ledger. */
  readonly made: RecordedAction | null;
  /** Null: still in force. */
  readonly ended: RecordedAction | null;
}

/** Returns the versions in force at any time in the period, from entries below the ledger size `size`. */
export function policiesIn(
  entries: Iterable<IndexedEntry>,
  size: number,
  { from, to }: Period,
): readonly PolicyVersion[] {
  const versions = new Map<string, PolicyVersion>();
  for (const entry of entriesOfKinds(entries, policyKinds, size)) {
    const { id, data } = auditTargetAndData(entry);
    const version = Number(data.version);
    const done = recordedActionOf(entry);
    const ends = entry.kind === deleted ? version : entry.kind === changed ? version - 1 : undefined;
    if (ends !== undefined) {
      const key = `${id} ${ends}`;
      const current = versions.get(key) ?? { ...versionOf(id, ends, valuesOf(data.before)), made: null };
      versions.set(key, { ...current, ended: done });
    }
    if (entry.kind !== deleted) {
      versions.set(`${id} ${version}`, { ...versionOf(id, version, valuesOf(data.after)), made: done, ended: null });
    }
  }
  return [...versions.values()]
    .filter(({ made, ended }) => (made === null || made.at < to) && (ended === null || ended.at > from))
    .toSorted(
      (one, other) =>
        (one.made?.entry ?? -1) - (other.made?.entry ?? -1) ||
        byCodeUnits(one.id, other.id) ||
        one.version - other.version,
    );
}

const versionOf = (id: string, version: number, values: EntryValues) => ({
  id,
  version,
  name: values.name ?? null,
  kind: values.kind ?? null,
  mode: values.mode ?? null,
  scope: values.scope ?? null,
  settings: values.settings ?? null,
});

/** The entries from which the policies are derived. */
export const leavesOfPolicies = (versions: readonly PolicyVersion[]): readonly number[] =>
  versions.flatMap(({ made, ended }) => [made, ended].flatMap((done) => (done ? [done.entry] : [])));
