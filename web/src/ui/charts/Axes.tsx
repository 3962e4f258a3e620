import s from './Chart.module.css';
import { dayText, valueText } from './chart.ts';
import { HEIGHT, margin, type PlacedChart, VALUE_TICKS } from './scales.ts';

const MIN_LABEL_WIDTH = 64;

/** The values at the left, with a line for each. */
export function ValueAxis({ data: { unit }, x, y }: PlacedChart) {
  const ticks = y.ticks(VALUE_TICKS).filter((tick) => unit === 'share' || Number.isInteger(tick));
  const right = x.range()[1];
  return ticks.map((tick) => (
    <g key={tick} className={s.axis}>
      <line x1={margin.left} x2={right} y1={y(tick)} y2={y(tick)} />
      <text x={margin.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
        {valueText(tick, unit)}
      </text>
    </g>
  ));
}

interface DayAxisProps extends PlacedChart {
  pointed: string | undefined;
  onPoint: (day: string) => void;
}

/** The days at the bottom, as many as fit, and the columns that react to the pointer. */
export function DayAxis({ data: { points }, x, pointed, onPoint }: DayAxisProps) {
  const labelStep = Math.ceil(MIN_LABEL_WIDTH / x.step());
  const last = points.length - 1;
  return points.map(({ day }, index) => {
    const left = x(day) ?? 0;
    return (
      <g key={day} className={s.axis}>
        {(last - index) % labelStep === 0 && (
          <text x={left + x.bandwidth() / 2} y={HEIGHT - 6} textAnchor="middle">
            {dayText(day)}
          </text>
        )}
        <rect
          className={s.column}
          data-pointed={day === pointed || undefined}
          x={left - (x.step() - x.bandwidth()) / 2}
          y={margin.top}
          width={x.step()}
          height={HEIGHT - margin.top - margin.bottom}
          onPointerEnter={() => onPoint(day)}
        />
      </g>
    );
  });
}
