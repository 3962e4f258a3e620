import type { LineFields } from './lines.ts';
import type { Manifest } from './manifest.ts';
import type { LeafEntry } from './verification-state.ts';

/** The kind of ledger entries that record or correct a change. */
export const changeKind = 'change';

/** The latest ledger entry of a change. */
export interface ChangeEntry {
  leaf: number;
  subject: LineFields;
}

/**
 * Returns the latest version of each change below a ledger size, except direct pushes that turned out to belong to a pull
 * request. Used by verifiers, and by the server when it collects the contents of a snapshot.
 */
export function latestChangesIn(
  entries: Iterable<Pick<LeafEntry, 'index' | 'kind' | 'subject'>>,
  size: number,
): readonly ChangeEntry[] {
  const changes = new Map<string, ChangeEntry>();
  for (const { index, kind, subject } of entries) {
    if (kind !== changeKind || index >= size) continue;
    const known = changes.get(String(subject.change));
    if (!known || Number(known.subject.version) < Number(subject.version)) {
      changes.set(String(subject.change), { leaf: index, subject });
    }
  }
  return [...changes.values()].filter(({ subject }) => subject.push === null || subject.number === null);
}

/** Whether a change was merged in the period and repositories of a bundle. */
export function isChangeInScope(
  { mergedAt, repository }: LineFields,
  { period, repositories }: Pick<Manifest, 'period' | 'repositories'>,
): boolean {
  const at = String(mergedAt);
  return at >= period.from && at < period.to && (repositories === null || repositories.includes(String(repository)));
}
