import { memberStatuses } from '@sightline/contract/organization/member-actions.ts';
import { getMembersSummary } from '@sightline/contract/organization/members.ts';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { SegmentBar } from '#ui/SegmentBar.tsx';
import s from './Members.module.css';
import { statusLabels, statusTones } from './statuses.ts';

interface MembersSummaryProps {
  selected: readonly string[];
  onSelect: (statuses: string[]) => void;
}

/** Shows the number of members as a bar. Its legend filters the table by status. */
export const MembersSummary = memo(function MembersSummary({ selected, onSelect }: MembersSummaryProps) {
  const { data, error, refetch } = useQuery({ ...endpointQuery(getMembersSummary, {}), meta: { quiet: true } });
  if (error && !data) {
    return (
      <Panel className={s.summary}>
        <Failure title="The counts could not be loaded" error={error} onRetry={() => void refetch()} />
      </Panel>
    );
  }
  if (!data) {
    return (
      <Panel className={s.summary}>
        <span className={s.placeholder} data-figure />
        <span className={s.placeholder} />
        <span className={s.placeholder} data-legend />
      </Panel>
    );
  }
  const statuses = memberStatuses.filter((status) => data.byStatus[status] !== undefined);
  const roles = data.byRole.filter(({ id, count }) => id !== 'rol_auditor' || count > 0);
  return (
    <Panel className={s.summary}>
      <div className={s.stats}>
        <p className={s.total}>
          <span className={s.figure}>{data.total.toLocaleString('en')}</span>{' '}
          <span className="dim">{data.total === 1 ? 'total member' : 'total members'}</span>
        </p>
        <dl className={s.roles}>
          {roles.map(({ id, name, count }) => (
            <div key={id}>
              <dt>{name}</dt>
              <dd className="num">{count.toLocaleString('en')}</dd>
            </div>
          ))}
        </dl>
      </div>
      <SegmentBar
        stacked
        label="Filter by status"
        selected={selected}
        onChange={onSelect}
        segments={statuses.map((status) => ({
          key: status,
          label: statusLabels[status],
          count: data.byStatus[status] ?? 0,
          fill: `var(--ui-${statusTones[status]}-bar)`,
        }))}
      />
    </Panel>
  );
});
