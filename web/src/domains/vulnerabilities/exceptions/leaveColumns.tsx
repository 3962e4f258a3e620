import type { WaiverListItem } from '@sightline/contract/vulnerabilities/exceptions.ts';
import { formatDay } from '#ui/days.ts';
import { evaluatedItemName } from '#ui/item-name.ts';
import { Face } from '#ui/Person.tsx';
import { StatusDot, type Tone } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import s from './Exceptions.module.css';

const states: Record<WaiverListItem['state'], readonly [Tone, string]> = {
  requested: ['yellow', 'Pending'],
  approved: ['purple', 'Approved'],
  refused: ['red', 'Denied'],
  withdrawn: ['gray', 'Withdrawn'],
  expired: ['gray', 'Expired'],
};

/** Where what it is for is shown. */
export const placeOf = ({ control, finding }: WaiverListItem): string =>
  finding ? `/vulnerabilities/${finding.id}` : `/evidence/controls/${control}`;

/** The item of a waiver, in one line. */
export const nameOf = ({ subject, finding }: WaiverListItem): string => finding?.title ?? evaluatedItemName(subject);

/** `decided`: somebody has said something about them. */
export const leaveColumns = (decided: boolean): Column<WaiverListItem>[] => [
  {
    key: 'subject',
    header: 'Item',
    place: 'main',
    cell: (leave) => (
      <span className={s.words}>
        <b className="truncate" title={leave.finding?.title ?? leave.subject}>
          {nameOf(leave)}
        </b>
        <span className={s.sub}>
          {leave.control}
          {leave.repository && ` · ${leave.repository.fullName}`}
        </span>
      </span>
    ),
  },
  {
    key: 'why',
    header: 'Reason',
    width: 280,
    cell: ({ reason }) => (
      <p className={s.why} title={reason}>
        {reason}
      </p>
    ),
  },
  {
    key: 'asked',
    header: 'Requested',
    sort: 'requested',
    firstDirection: 'desc',
    width: 180,
    place: 'meta',
    cell: ({ requestedBy, requestedAt }) => (
      <span className={s.words}>
        <span className={s.person}>
          <Face name={requestedBy.name} size={18} />
          <span className="truncate">{requestedBy.name}</span>
        </span>
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
  cell: ({ state, decidedBy, decision: said }) => (
    <span className={s.words}>
      <StatusDot tone={states[state][0]}>{states[state][1]}</StatusDot>
      {decidedBy && (
        <span className={s.sub} title={said}>
          by {decidedBy.name}
        </span>
      )}
    </span>
  ),
};
