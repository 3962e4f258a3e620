import type { WaiverListItem } from '@sightline/contract/vulnerabilities/waivers.ts';
import { formatDay } from '#ui/days.ts';
import { PersonName } from '#ui/PersonName.tsx';
import { StatusDot, type Tone } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import s from './Waivers.module.css';
import { waivedItemName } from './waiver-action.ts';

const states: Record<WaiverListItem['state'], readonly [Tone, string]> = {
  requested: ['yellow', 'Pending'],
  approved: ['purple', 'Approved'],
  refused: ['red', 'Denied'],
  withdrawn: ['gray', 'Withdrawn'],
  expired: ['gray', 'Expired'],
};

/** The page of the waived item. */
export const waivedItemHref = ({ control, finding }: WaiverListItem): string =>
  finding ? `/vulnerabilities/${finding.id}` : `/evidence/controls/${control}`;

/** The columns of the list; `decided` adds the decision. */
export const waiverColumns = (decided: boolean): Column<WaiverListItem>[] => [
  {
    key: 'subject',
    header: 'Item',
    place: 'main',
    cell: (waiver) => (
      <span className={s.words}>
        <b className="truncate" title={waiver.finding?.title ?? waiver.subject}>
          {waivedItemName(waiver)}
        </b>
        <span className={s.sub}>
          {waiver.control}
          {waiver.repository && ` · ${waiver.repository.fullName}`}
        </span>
      </span>
    ),
  },
  {
    key: 'reason',
    header: 'Reason',
    width: 280,
    cell: ({ reason }) => (
      <p className={s.reason} title={reason}>
        {reason}
      </p>
    ),
  },
  {
    key: 'requested',
    header: 'Requested',
    sort: 'requested',
    firstDirection: 'desc',
    width: 180,
    place: 'meta',
    cell: ({ requestedBy, requestedAt }) => (
      <span className={s.words}>
        <PersonName person={requestedBy} size={18} />
        <span className={s.sub}>
          <TimeAgo at={requestedAt} />
        </span>
      </span>
    ),
  },
  {
    key: 'until',
    header: 'Until',
    sort: 'until',
    width: 120,
    place: 'metaEnd',
    cell: ({ until }) => <time dateTime={until}>{formatDay(until)}</time>,
  },
  ...(decided ? [decision] : []),
];

const decision: Column<WaiverListItem> = {
  key: 'state',
  header: 'Decision',
  width: 180,
  place: 'side',
  cell: ({ state, decidedBy, decision: comment }) => (
    <span className={s.words}>
      <StatusDot tone={states[state][0]}>{states[state][1]}</StatusDot>
      {decidedBy && (
        <span className={s.sub} title={comment}>
          by <PersonName person={decidedBy} />
        </span>
      )}
    </span>
  ),
};
