import type { Digest } from '@sightline/contract/compliance/digests.ts';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { digestStateBadges, weekText } from './digestLabels.ts';

export const digestColumns: readonly Column<Digest>[] = [
  {
    key: 'digest',
    header: 'Repository and week',
    place: 'main',
    cell: ({ repository, period }) => (
      <RowTitle
        glyph={<ProviderIcon provider={repository.provider} size={18} labelled />}
        meta={<span className="truncate">{weekText(period)}</span>}
      >
        <RowName>{repository.fullName}</RowName>
      </RowTitle>
    ),
  },
  {
    key: 'state',
    header: 'State',
    width: 156,
    place: 'side',
    cell: ({ state }) => <StatusBadge tone={digestStateBadges[state][0]}>{digestStateBadges[state][1]}</StatusBadge>,
  },
  {
    key: 'changes',
    header: 'Changes',
    width: 100,
    cell: ({ counts }) => <span className="num">{number.format(counts.changes)}</span>,
  },
  {
    key: 'flagged',
    header: 'Flagged',
    width: 148,
    place: 'meta',
    cell: ({ flagged, decided }) =>
      flagged === 0 ? (
        <span className="dim">Nothing flagged</span>
      ) : (
        <span className="num">
          {number.format(flagged)} flagged{decided > 0 && `, ${number.format(decided)} decided`}
        </span>
      ),
  },
  {
    key: 'due',
    header: 'Due',
    sort: 'due',
    firstDirection: 'desc',
    width: 128,
    place: 'metaEnd',
    cell: ({ dueAt }) => <TimeAgo at={dueAt} />,
  },
];

const number = new Intl.NumberFormat('en-GB');
