import { recordHomeVisit } from '@sightline/contract/organization/members.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call, keyOf } from '#lib/api.ts';
import { Panel } from '#ui/Panel.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { activityTiles } from './activity.ts';
import { type ActivityStart, activityStarts } from './activityStarts.ts';
import s from './HomePanels.module.css';
import { SinceSelect } from './SinceSelect.tsx';
import { TileCard } from './TileCard.tsx';
import { TileFailure } from './TileFailure.tsx';
import { useTiles } from './tiles.ts';

const HOUR_MS = 3_600_000;

/** Counts what happened since the last visit to Home, or since another time, each with a link to its list. */
export function ActivityPanel() {
  const visit = useHomeVisit();
  const [start, setStart] = useState<ActivityStart>('visit');
  const since = useActivityStart(start, visit);
  const counted = useTiles(useMemo(() => (since === undefined ? [] : activityTiles(since)), [since]));
  if (since !== undefined && counted.tiles.length === 0) return null;
  return (
    <Panel title="Activity" aside={<SinceSelect value={start} onChange={setStart} hasVisit={visit !== null} />}>
      <p className={s.since}>
        {since === undefined ? (
          'Loading'
        ) : (
          <>
            Since <TimeAgo at={since} />
          </>
        )}
      </p>
      <ul className={s.cards} aria-busy={since === undefined || counted.isLoading}>
        {counted.tiles.map((tile) => (
          <TileCard key={tile.href} tile={tile} />
        ))}
      </ul>
      {counted.isFailed && <TileFailure onRetry={counted.retry} />}
    </Panel>
  );
}

/** The end of the previous visit; null for a first visit; undefined until known. */
function useHomeVisit(): string | null | undefined {
  const { data, isError } = useQuery({
    queryKey: keyOf(recordHomeVisit, {}),
    queryFn: () => call(recordHomeVisit, {}),
    // Each view of Home extends the visit.
    staleTime: HOUR_MS / 4,
    meta: { quiet: true },
  });
  return data ? data.previousAt : isError ? null : undefined;
}

/** The time of a start, to the minute, so that the counts are not requested again with each rendering. */
function useActivityStart(start: ActivityStart, visit: string | null | undefined): string | undefined {
  return useMemo(() => {
    if (start === 'visit' && visit !== null) return visit;
    const hours = activityStarts[start].hours;
    return new Date(Math.floor((Date.now() - hours * HOUR_MS) / 60_000) * 60_000).toISOString();
  }, [start, visit]);
}
