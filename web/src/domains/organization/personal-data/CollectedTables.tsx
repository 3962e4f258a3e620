import {
  type PersonalDataItem,
  type PersonalDataSource,
  personalDataSources,
} from '@sightline/contract/organization/personal-data.ts';
import { useNow } from '#ui/Clock.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { Panel } from '#ui/Panel.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { relativeDays, timeAgo } from '#ui/time.ts';
import type { Column } from '../../../ui/column.ts';
import s from './Collected.module.css';

const sources = Object.entries(personalDataSources) as [PersonalDataSource, string][];

/** Renders one table per data source. `items` is undefined while loading. */
export const PersonalDataTables = ({ items }: { items: readonly PersonalDataItem[] | undefined }) =>
  sources.map(([source, title]) => (
    <Panel key={source} title={title} flush>
      <DataTable
        label={title}
        columns={columns}
        rows={items?.filter((item) => item.source === source)}
        rowKey={({ id }) => id}
        tall
        skeletonRows={3}
        empty={null}
      />
    </Panel>
  ));

const columns: readonly Column<PersonalDataItem>[] = [
  {
    key: 'what',
    header: 'Data',
    place: 'main',
    cell: ({ label, fields, visibleTo, retention, erasureEffect }) => (
      <span className={s.what}>
        <strong>{label}</strong>
        <span className={s.dim}>{fields.join(' · ')}</span>
        <span className={s.card}>
          Visible to: {visibleTo}. Retention: {retention}. On deletion: {erasureEffect}.
        </span>
      </span>
    ),
  },
  {
    key: 'count',
    header: 'Entries',
    width: 92,
    place: 'side',
    cell: ({ count }) => (
      <span className="num">
        {number.format(count)}
        <span className={s.narrow}> {count === 1 ? 'entry' : 'entries'}</span>
      </span>
    ),
  },
  {
    key: 'times',
    header: 'First and last entry',
    width: 180,
    place: 'meta',
    cell: ({ first, last }) => <Times first={first} last={last} />,
  },
  {
    key: 'seen',
    header: 'Visible to',
    width: 190,
    cell: ({ visibleTo }) => <span className={s.wrap}>{visibleTo}</span>,
  },
  {
    key: 'kept',
    header: 'Retention',
    width: 180,
    cell: ({ retention }) => <span className={s.wrap}>{retention}</span>,
  },
  {
    key: 'erased',
    header: 'On deletion',
    width: 230,
    cell: ({ erasureEffect }) => <span className={s.wrap}>{erasureEffect}</span>,
  },
];

function Times({ first, last }: Pick<PersonalDataItem, 'first' | 'last'>) {
  const now = useNow();
  const times = [first, last].filter((at) => at !== null);
  if (times.length === 0) return <span className={s.dim}>No data</span>;
  const timesByLabel = new Map(times.map((at) => [timeAgo(Date.parse(at), now, relativeDays), at]));
  return (
    <span>
      {[...timesByLabel.values()].map((at, index) => (
        <span key={at}>
          {index > 0 && ' – '}
          <TimeAgo at={at} />
        </span>
      ))}
    </span>
  );
}

const number = new Intl.NumberFormat('en-GB');
