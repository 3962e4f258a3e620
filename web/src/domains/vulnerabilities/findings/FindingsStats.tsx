import { Tooltip } from '@mantine/core';
import type { Severity } from '@sightline/contract/core/severities.ts';
import type { FindingStats, FindingsQuery } from '@sightline/contract/vulnerabilities/findings.ts';
import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '@tabler/icons-react';
import { Panel } from '#ui/Panel.tsx';
import { SegmentBar } from '#ui/SegmentBar.tsx';
import { LevelGlyph } from '#ui/Severity.tsx';
import { Spark } from '#ui/Spark.tsx';
import { levelNames, severityLevels } from '#ui/severities.ts';
import s from './FindingsStats.module.css';
import { showsOpenOnly } from './findingsQuery.ts';

interface FindingsStatsProps {
  /** Undefined while loading. */
  stats: FindingStats | undefined;
  query: Pick<FindingsQuery, 'severity' | 'status'>;
  onSeverity: (severity: Severity[]) => void;
  /** Whether the list has one repository, so that the number of repositories is omitted. */
  single: boolean;
}

/** Shows the number of findings, its trend, and the severities, each of which is a filter. */
export function FindingsStats({ stats, query, onSeverity, single }: FindingsStatsProps) {
  if (!stats) return <Skeleton />;
  const { total, repositories, changeSinceLastScan, trend, countBySeverity } = stats;
  const open = showsOpenOnly(query);
  return (
    <Panel className={s.stats}>
      <div>
        <p className={s.figure}>{number.format(total)}</p>
        <p className="dim">
          {open ? 'open' : 'found'}
          {!single && ` in ${number.format(repositories)} ${repositories === 1 ? 'repository' : 'repositories'}`}
        </p>
        {changeSinceLastScan && <Change {...changeSinceLastScan} />}
      </div>
      {trend.length > 1 && (
        <div className={s.trend}>
          <Spark values={trend.map((point) => point.open)} label={trendWords(trend)} />
          <p className={s.span} aria-hidden>
            <span>{day.format(Date.parse(trend[0]?.day ?? ''))}</span>
            <span>Today</span>
          </p>
        </div>
      )}
      <div className={s.bar}>
        <SegmentBar
          label="Filter by severity"
          selected={query.severity}
          onChange={(selected) => onSeverity(severityLevels.filter((level) => selected.includes(level)))}
          segments={severityLevels.map((level) => ({
            key: level,
            label: levelNames[level],
            count: countBySeverity[level],
            fill: `var(--ui-${level}-bar)`,
            mark: <LevelGlyph level={level} />,
          }))}
        />
      </div>
    </Panel>
  );
}

function Change({ added, fixed, net }: { added: number; fixed: number; net: number }) {
  const Arrow = net < 0 ? IconArrowDownRight : net > 0 ? IconArrowUpRight : IconArrowRight;
  const parts = `${number.format(added)} new, ${number.format(fixed)} fixed`;
  return (
    <Tooltip label={`${parts} in the latest scan of each repository and scanner`}>
      <p className={s.change} data-way={Math.sign(net)}>
        <Arrow size={15} aria-hidden />
        {net === 0 ? 'No change' : `${number.format(Math.abs(net))} ${net < 0 ? 'fewer' : 'more'}`}{' '}
        <span className={s.since}>since last scan</span>
        <span className="vh">, {parts}</span>
      </p>
    </Tooltip>
  );
}

const Skeleton = () => (
  <Panel className={s.stats}>
    <div>
      <span className={s.placeholder} data-figure />
      <span className={s.placeholder} />
    </div>
    <span className={s.placeholder} data-bar />
  </Panel>
);

function trendWords(trend: FindingStats['trend']): string {
  const [first, last] = [trend[0]?.open ?? 0, trend.at(-1)?.open ?? 0];
  const change = first === last ? `unchanged at ${last}` : `from ${first} ${last < first ? 'down' : 'up'} to ${last}`;
  return `Open vulnerabilities over ${trend.length} days, ${change}`;
}

const number = new Intl.NumberFormat('en-GB');
// Days are in UTC.
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
