import type { EnabledSpan } from '../controls/enabled-spans.ts';
import { byCodeUnits } from '../controls/order.ts';
import { isList } from '../ledger/canonical.ts';
import {
  auditTargetAndData,
  entriesOfKinds,
  type IndexedEntry,
  type RecordedAction,
  recordedActionOf,
} from './parsed-entries.ts';
import type { BundleScope, Period } from './scope.ts';

/** The kinds of entries about repositories that a code host listed, or no longer lists: `{repositories: [ID]}`. */
export const [listedKind, unlistedKind] = ['repository.listed', 'repository.unlisted'] as const;
export const [enabledKind, disabledKind] = ['audit.repository.enabled', 'audit.repository.disabled'] as const;
export const repositoryKinds: readonly string[] = [disabledKind, enabledKind, listedKind, unlistedKind];

/** From one recorded action to another. `from` null: in an earlier epoch. `to` null: still. */
export interface RecordedSpan {
  readonly from: RecordedAction | null;
  readonly to: RecordedAction | null;
}

/** A repository of a code host. Only while it is enabled are its changes recorded. */
export interface RepositoryRecord {
  readonly id: string;
  /** When the code host listed it. */
  readonly listed: readonly RecordedSpan[];
  readonly enabled: readonly RecordedSpan[];
}

/**
 * Returns the repositories in scope that a code host listed, or that were enabled, at any time in the period, from
 * entries below the ledger size `size`, by ID.
 */
export function repositoriesIn(
  entries: Iterable<IndexedEntry>,
  size: number,
  { period, repositories }: Pick<BundleScope, 'period' | 'repositories'>,
): readonly RepositoryRecord[] {
  const records = new Map<string, RepositoryRecord>();
  for (const entry of entriesOfKinds(entries, repositoryKinds, size)) {
    for (const id of repositoryIdsOf(entry)) {
      const { listed, enabled } = records.get(id) ?? { listed: [], enabled: [] };
      const spans = entry.kind === listedKind || entry.kind === unlistedKind ? { listed } : { enabled };
      const isStart = entry.kind === listedKind || entry.kind === enabledKind;
      const changed = Object.entries(spans).map(([field, before]) => [field, spansWith(before, isStart, entry)]);
      records.set(id, { id, listed, enabled, ...Object.fromEntries(changed) });
    }
  }
  return [...records.values()]
    .filter(({ id }) => repositories === null || repositories.includes(id))
    .filter(({ listed, enabled }) => [...listed, ...enabled].some((span) => overlaps(span, period)))
    .toSorted((one, other) => byCodeUnits(one.id, other.id));
}

/** The repositories that an entry is about. It commits to the name of each. */
export function repositoryIdsOf(entry: IndexedEntry): readonly string[] {
  if (entry.kind === enabledKind || entry.kind === disabledKind) return [auditTargetAndData(entry).id];
  const list = entry.subject.repositories ?? [];
  return isList(list) ? list.filter((id) => typeof id === 'string') : [];
}

function spansWith(spans: readonly RecordedSpan[], isStart: boolean, entry: IndexedEntry): readonly RecordedSpan[] {
  const last = spans.at(-1);
  const action = recordedActionOf(entry);
  const isOpen = last !== undefined && last.to === null;
  if (isStart) return isOpen ? spans : [...spans, { from: action, to: null }];
  if (isOpen) return [...spans.slice(0, -1), { ...last, to: action }];
  return last === undefined ? [{ from: null, to: action }] : spans;
}

const overlaps = ({ from, to }: RecordedSpan, period: Period): boolean =>
  (from === null || from.at < period.to) && (to === null || to.at > period.from);

/** The times in which a repository was enabled that began in this epoch. */
export const enabledSpansOf = ({ enabled }: RepositoryRecord): readonly EnabledSpan[] =>
  enabled.flatMap(({ from, to }) => (from === null ? [] : [{ from: from.at, to: to?.at ?? null }]));

/** A repository that was not recorded for all of the period. */
export interface UnrecordedRepository {
  readonly id: string;
  /** When it was recorded in the period; `from` null: before its start, `to` null: until its end. */
  readonly recorded: readonly { readonly from: string | null; readonly to: string | null }[];
}

/** Returns the repositories that were disabled at any time in the period, by ID. */
export function unrecordedRepositories(
  records: readonly RepositoryRecord[],
  period: Period,
): readonly UnrecordedRepository[] {
  return records
    .map(({ id, enabled }) => ({
      id,
      recorded: enabled
        .filter((span) => overlaps(span, period))
        .map(({ from, to }) => ({
          from: from === null || from.at <= period.from ? null : from.at,
          to: to === null || to.at >= period.to ? null : to.at,
        })),
    }))
    .filter(({ recorded }) => !recorded.some(({ from, to }) => from === null && to === null))
    .toSorted((one, other) => byCodeUnits(one.id, other.id));
}

/** When a repository was recorded, in words. */
export const recordedText = ({ recorded }: UnrecordedRepository): string =>
  recorded.map(({ from, to }) => `${from ?? 'the start'} to ${to ?? 'the end'}`).join(', ') || 'not recorded';

/**
 * The entries from which the repositories are derived: all, because one entry is about several repositories, some of
 * which the code host no longer listed before the period.
 */
export const leavesOfRepositories = (entries: Iterable<IndexedEntry>, size: number): readonly number[] =>
  entriesOfKinds(entries, repositoryKinds, size).map(({ index }) => index);
