import type { ControlsOverview } from '@sightline/contract/compliance/control-runs.ts';
import { statusBadges, toneFill } from '#ui/verdicts.ts';
import s from './Evidence.module.css';

type Day = ControlsOverview['trend'][number];

const [width, height, gap] = [224, 44, 1];
const stack = ['passing', 'missing_evidence', 'failing'] as const;

/** Draws a column for each evaluated day: passing controls at the bottom, others above. */
export function ControlTrend({ days }: { days: readonly Day[] }) {
  const maxTotal = Math.max(1, ...days.map((day) => sum(day)));
  const step = Math.min(12, width / days.length);
  return (
    <figure className={s.trend}>
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={wordsOf(days)}>
        {days.flatMap((day, index) => {
          let below = 0;
          return stack.map((status) => {
            const size = (day[status] / maxTotal) * height;
            below += size;
            return (
              <rect
                key={`${day.day} ${status}`}
                x={index * step}
                y={height - below}
                width={Math.max(1, step - gap)}
                height={size}
                fill={toneFill(statusBadges[status][0])}
              />
            );
          });
        })}
      </svg>
      <figcaption className={s.span} aria-hidden>
        <span>{label(days[0])}</span>
        <span>{label(days.at(-1))}</span>
      </figcaption>
    </figure>
  );
}

const sum = (day: Day) => stack.reduce((total, status) => total + day[status], 0);

function wordsOf(days: readonly Day[]): string {
  const [first, last] = [days[0], days.at(-1)];
  return `Passing controls by day: ${first?.passing ?? 0} on ${label(first)}, ${last?.passing ?? 0} on ${label(last)}`;
}

const label = (day: Day | undefined) => (day ? format.format(Date.parse(`${day.day.slice(0, 10)}T00:00:00Z`)) : '');
const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
