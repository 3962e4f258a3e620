import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';

interface SeenDates {
  firstSeen: string;
  lastSeen: string;
  removedAt: string | null;
}

/** Since when a tool was there. */
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

/** When it was last seen there, or since when it is no more: `gone` is the word for that. */
export const lastSeenColumn = (gone: string, width = 184): Column<SeenDates> => ({
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
          {gone} <TimeAgo at={removedAt} />
        </>
      )}
    </span>
  ),
});
