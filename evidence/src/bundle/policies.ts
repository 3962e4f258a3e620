import { byCodeUnits } from '../controls/order.ts';
import type { Plain } from '../ledger/canonical.ts';
import { auditOf, type Done, doneBy, type EntryValues, ofKinds, type ToldEntry, valuesOf } from './parsed-entries.ts';
import type { Period } from './scope.ts';

const [created, changed, restored, deleted] = [
  'audit.policy.created',
  'audit.policy.changed',
  'audit.policy.restored',
  'audit.policy.deleted',
] as const;
export const policyKinds: readonly string[] = [created, changed, restored, deleted];

/** A version of a policy: what it asked, and which entries made and ended it. */
export interface PolicyVersion {
  readonly id: string;
  readonly version: number;
  readonly name: Plain;
  readonly kind: Plain;
  readonly mode: Plain;
  readonly scope: Plain;
  readonly settings: Plain;
  /** Null: in an earlier epoch of the ledger. */
  readonly made: Done | null;
  /** Null: it holds on. */
  readonly ended: Done | null;
}

/** The versions that held at some moment of the period, drawn from what the ledger held at `size`. */
export function policiesIn(entries: Iterable<ToldEntry>, size: number, { from, to }: Period): readonly PolicyVersion[] {
  const versions = new Map<string, PolicyVersion>();
  for (const entry of ofKinds(entries, policyKinds, size)) {
    const { id, data } = auditOf(entry);
    const version = Number(data.version);
    const done = doneBy(entry);
    const ends = entry.kind === deleted ? version : entry.kind === changed ? version - 1 : undefined;
    if (ends !== undefined) {
      const key = `${id} ${ends}`;
      const was = versions.get(key) ?? { ...versionOf(id, ends, valuesOf(data.before)), made: null };
      versions.set(key, { ...was, ended: done });
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

const versionOf = (id: string, version: number, said: EntryValues) => ({
  id,
  version,
  name: said.name ?? null,
  kind: said.kind ?? null,
  mode: said.mode ?? null,
  scope: said.scope ?? null,
  settings: said.settings ?? null,
});

/** The entries that what is told of policies rests on. */
export const leavesOfPolicies = (versions: readonly PolicyVersion[]): readonly number[] =>
  versions.flatMap(({ made, ended }) => [made, ended].flatMap((done) => (done ? [done.entry] : [])));
