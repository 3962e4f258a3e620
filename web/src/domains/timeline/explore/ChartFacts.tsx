import { countText, differenceText, sampleText } from '#ui/charts/differences.ts';
import { SeriesMark } from '#ui/charts/SeriesMark.tsx';
import s from './EventChart.module.css';
import { fullTime } from './zone.ts';

interface Period {
  from: string;
  to: string;
  total: number;
}

interface ChartFactsProps {
  period: Period;
  previous: Period | null;
  /** Whether a comparison was requested. */
  isCompared: boolean;
  /** Set if the numbers are estimates. */
  sample: { events: number; share: number } | null;
  /** How the chart draws the two periods. */
  marks: 'bars' | 'lines' | 'squares';
  offset: number;
}

/** The totals of both periods, with their marks in the chart, and whether the numbers are approximate. */
export function ChartFacts({ period, previous, isCompared, sample, marks, offset }: ChartFactsProps) {
  const isEstimate = sample !== null;
  const times = ({ from, to }: Period) => `${fullTime(from, offset)} to ${fullTime(to, offset)}`;
  return (
    <ul className={s.facts}>
      <li>
        <PeriodMark marks={marks} index={0} />
        <span>
          <b>{countText(period.total, isEstimate)}</b> {period.total === 1 ? 'event' : 'events'}, {times(period)}
        </span>
      </li>
      {previous && (
        <li>
          <PeriodMark marks={marks} index={1} />
          <span>
            Previous period: <b>{countText(previous.total, isEstimate)}</b>, {times(previous)}. Change:{' '}
            <b>{differenceText(period.total, previous.total)}</b>
          </span>
        </li>
      )}
      {isCompared && !previous && <li>The query has no start, such as after:-30d, so there is no previous period.</li>}
      {sample && (
        <li>
          <span>
            <b>Approximate:</b> {sampleText(sample)}
          </span>
        </li>
      )}
    </ul>
  );
}

const colors = ['var(--ui-accent-line)', 'var(--ui-gray-bar)'] as const;

function PeriodMark({ marks, index }: { marks: ChartFactsProps['marks']; index: 0 | 1 }) {
  if (marks !== 'squares') return <SeriesMark kind={marks} index={index} color={colors[index]} hasMarker={false} />;
  return (
    <svg width={12} height={12} aria-hidden>
      {index === 0 ? (
        <rect width={12} height={12} fill={colors[0]} />
      ) : (
        <rect x={1} y={1} width={10} height={10} fill="none" stroke={colors[1]} strokeWidth={2} />
      )}
    </svg>
  );
}
