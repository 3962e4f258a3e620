import s from './Chart.module.css';
import { type ChartData, type ChartPoint, intervalText, valueText } from './chart.ts';

interface ChartReadoutProps {
  data: ChartData;
  point: ChartPoint;
  /** The position of the point, from 0 at the left to 1 at the right. */
  share: number;
}

/** The values of the interval under the pointer. Hidden from screen readers, which have the table. */
export const ChartReadout = ({ data, point, share }: ChartReadoutProps) => (
  <div
    className={s.readout}
    aria-hidden
    style={share > 0.5 ? { right: `${(1 - share) * 100 + 1}%` } : { left: `${share * 100 + 5}%` }}
  >
    <b>{intervalText(point.day, data.interval)}</b>
    {data.series.map(({ key, label }) => (
      <span key={key}>
        {label} {valueText(point.values[key], data.unit)}
      </span>
    ))}
    {data.details?.map(({ key, label }) => (
      <span key={key}>
        {label} {valueText(point.values[key], 'count')}
      </span>
    ))}
  </div>
);
