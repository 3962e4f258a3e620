import type { RemediationListItem } from '@sightline/contract/compliance/remediations.ts';
import { formatPeriod } from '@sightline/contract/core/periods.ts';
import { stringifySearch } from '#lib/search-params.ts';
import { formatDay } from '#ui/days.ts';
import { evaluatedItemName } from '#ui/item-name.ts';
import type { Column } from '../../../../ui/column.ts';
import s from '../control/Control.module.css';
import {
  RemediationDue,
  RemediationOwner,
  RemediationStateText,
  RemediationTicket,
  Retests,
} from './RemediationFacts.tsx';

export const remediatedItemName = ({ subject, title }: Pick<RemediationListItem, 'subject' | 'title'>): string =>
  title ?? evaluatedItemName(subject);

/** The page of the control with the item. */
export const remediatedItemHref = ({ control, failure, subject }: RemediationListItem): string =>
  `/evidence/controls/${control}${stringifySearch({ period: formatPeriod(failure.period), search: subject })}`;

export const remediationColumns: readonly Column<RemediationListItem>[] = [
  {
    key: 'item',
    header: 'Item',
    place: 'main',
    cell: (row) => (
      <span className={s.words}>
        <b className="truncate" title={row.subject}>
          {remediatedItemName(row)}
        </b>
        <span className={s.sub}>
          {row.control}
          {row.repository && ` · ${row.repository.fullName}`}
        </span>
      </span>
    ),
  },
  {
    key: 'state',
    header: 'State',
    width: 220,
    place: 'side',
    cell: (row) => (
      <span className={s.facts}>
        <RemediationStateText remediation={row} />
        <Retests retests={row.retests} />
      </span>
    ),
  },
  { key: 'owner', header: 'Owner', width: 180, place: 'meta', cell: ({ owner }) => <RemediationOwner owner={owner} /> },
  {
    key: 'due',
    header: 'Due',
    sort: 'due',
    width: 140,
    place: 'metaEnd',
    cell: (row) => <RemediationDue remediation={row} />,
  },
  {
    key: 'ticket',
    header: 'Ticket',
    width: 130,
    cell: ({ ticketUrl }) => ticketUrl !== null && <RemediationTicket url={ticketUrl} />,
  },
  {
    key: 'failed',
    header: 'Failed',
    sort: 'failed',
    firstDirection: 'desc',
    width: 110,
    cell: ({ failure }) => <time dateTime={failure.at}>{formatDay(failure.at)}</time>,
  },
];
