import type { ExceptionState } from '@sightline/contract/findings.ts';
import type { ListedException } from '@sightline/contract/triage.ts';
import type { Column } from '#ui/DataTable.tsx';
import { dayOf } from '#ui/days.ts';
import { Face } from '#ui/Person.tsx';
import { Severity } from '#ui/Severity.tsx';
import { StatusDot, type Tone } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Exceptions.module.css';

/** What became of an exception, in one word. */
const states: Record<ExceptionState, [Tone, string]> = {
  requested: ['yellow', 'Waiting'],
  approved: ['purple', 'Accepted'],
  refused: ['red', 'Refused'],
  withdrawn: ['gray', 'Withdrawn'],
  expired: ['gray', 'Expired'],
};

/** `waiting`: nobody has decided about any of them, so nothing is told of that. */
export const exceptionColumns = (waiting: boolean): Column<ListedException>[] => [
  {
    key: 'severity',
    header: 'Severity',
    width: 112,
    place: 'side',
    cell: ({ finding }) => <Severity level={finding.severity} />,
  },
  {
    key: 'name',
    header: 'Vulnerability',
    place: 'main',
    cell: ({ finding: { title, repository } }) => (
      <span className={s.words}>
        <b className="truncate" title={title}>
          {title}
        </b>
        <span className={s.sub}>{repository.fullName}</span>
      </span>
    ),
  },
  {
    key: 'why',
    header: 'Why',
    width: 280,
    cell: ({ comment }) => (
      <p className={s.why} title={comment}>
        {comment}
      </p>
    ),
  },
  {
    key: 'asked',
    header: 'Requested',
    sort: 'requested',
    width: 200,
    place: 'meta',
    cell: ({ requestedBy, requestedAt }) => (
      <span className={s.asked}>
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
    cell: ({ until }) => <time dateTime={until}>{dayOf(until)}</time>,
  },
  ...(waiting ? [] : [decided]),
];

const decided: Column<ListedException> = {
  key: 'state',
  header: 'Decision',
  width: 200,
  cell: ({ state, decidedBy, decision }) => (
    <span className={s.words}>
      <StatusDot tone={states[state][0]}>{states[state][1]}</StatusDot>
      {decidedBy && (
        <span className={s.sub} title={decision}>
          by {decidedBy.name}
        </span>
      )}
    </span>
  ),
};
