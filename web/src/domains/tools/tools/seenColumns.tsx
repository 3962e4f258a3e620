import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';

interface SeenDates {
  firstSeen: string;
  lastSeen: string;
  removedAt: string | null;
}

/** The date of the first detection. */
export const sinceColumn: Column<SeenDates> = {
  key: 'since',
  header: 'Since',
  width: 136,
  cell: ({ firstSeen }) => (
    <span className="dim">
      <TimeAgo at={firstSeen} />
    </span>
  ),
};

/** The date of the last detection, or of the removal, after `removedText`. */
export const lastSeenColumn = (removedText: string, width = 184): Column<SeenDates> => ({
  key: 'date',
  header: 'Last seen',
  sort: 'date',
  firstDirection: 'desc',
  width,
  place: 'metaEnd',
  cell: ({ lastSeen, removedAt }) => (
    <span className="dim">
      {removedAt === null ? (
        <TimeAgo at={lastSeen} />
      ) : (
        <>
          {removedText} <TimeAgo at={removedAt} />
        </>
      )}
    </span>
  ),
});
