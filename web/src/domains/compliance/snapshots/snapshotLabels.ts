import type { Snapshot, SnapshotState } from '@sightline/contract/compliance/snapshots.ts';
import { quarterOf } from '@sightline/contract/core/periods.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

export const snapshotsPath = '/evidence/snapshots';
export const snapshotHref = ({ id }: { id: string }): string => `${snapshotsPath}/${id}`;

export const snapshotStateBadges: Record<SnapshotState, readonly [Tone, string]> = {
  queued: ['gray', 'Queued'],
  capturing: ['blue', 'Signing'],
  evaluating: ['blue', 'Evaluating'],
  building: ['blue', 'Building'],
  ready: ['green', 'Ready'],
  failed: ['red', 'Failed'],
};

export const isSnapshotInProgress = ({ state }: Pick<Snapshot, 'state'>): boolean =>
  state !== 'ready' && state !== 'failed';

/** Returns common periods of snapshots: quarters, starting with the last complete one, and years. */
export function snapshotPeriodChoices(now: Date): { value: string; label: string }[] {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const quarters = [1, 0, 2, 3, 4].map((back) => quarterOf(new Date(Date.UTC(year, month - 3 * back, 1))));
  return [...quarters, String(year), String(year - 1)].map((value) => ({
    value,
    label: value.replace(/^(\d{4})-(Q\d)$/, '$2 $1'),
  }));
}

/** Explains why the numbers of two snapshots are not comparable; undefined if they are. */
export function scopeDifferenceText(one: SnapshotScope, other: SnapshotScope): string | undefined {
  const aspects = [
    ...(one.period.from === other.period.from && one.period.to === other.period.to ? [] : ['periods']),
    ...(hasSameItems(one.repositories, other.repositories) ? [] : ['repositories']),
  ];
  if (aspects.length === 0) return undefined;
  return `The snapshots have different ${aspects.join(' and ')}. Differences may be outside the scope of one of them.`;
}
type SnapshotScope = Pick<Snapshot, 'period' | 'repositories'>;

const hasSameItems = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  JSON.stringify(one?.toSorted()) === JSON.stringify(other?.toSorted());
