import type { ControlsOverview } from '@sightline/contract/compliance/control-runs.ts';
import { Panel } from '#ui/Panel.tsx';
import { SegmentBar } from '#ui/SegmentBar.tsx';
import { statusBadges, statusOrder, toneFill } from '#ui/verdicts.ts';
import { ControlTrend } from './ControlTrend.tsx';
import s from './Evidence.module.css';
import type { ShownStatus } from './useControlsFilter.ts';

interface StatusSummaryProps {
  /** Undefined while loading. */
  overview: ControlsOverview | undefined;
  selected: readonly ShownStatus[];
  onSelect: (statuses: ShownStatus[]) => void;
}

/** Counts controls by status, with the daily trend. Each status is a filter. */
export function StatusSummary({ overview, selected, onSelect }: StatusSummaryProps) {
  if (!overview) {
    return (
      <Panel className={s.summary}>
        <span className={s.placeholder} data-figure />
        <span className={s.placeholder} />
      </Panel>
    );
  }
  const { counts, trend } = overview;
  const evaluated = counts.passing + counts.failing + counts.missing_evidence;
  return (
    <Panel className={s.summary}>
      <div>
        {overview.asOf === null ? (
          <>
            <p className={s.figure}>Not evaluated</p>
            <p className="dim">No control has been evaluated for this period.</p>
          </>
        ) : (
          <>
            <p className={s.figure}>
              {counts.passing} <span className={s.of}>of {evaluated}</span>
            </p>
            <p className="dim">applicable controls passing</p>
          </>
        )}
      </div>
      {trend.length > 1 && <ControlTrend days={trend} />}
      <div className={s.bar}>
        <SegmentBar
          label="Filter by status"
          selected={selected}
          onChange={(keys) => onSelect(statusOrder.filter((status) => keys.includes(status)))}
          segments={statusOrder
            .filter((status) => status !== 'not_evaluated' || counts.not_evaluated > 0)
            .map((status) => ({
              key: status,
              label: statusBadges[status][1],
              count: counts[status],
              fill: status === 'not_evaluated' ? 'var(--ui-border-soft)' : toneFill(statusBadges[status][0]),
            }))}
        />
      </div>
    </Panel>
  );
}
