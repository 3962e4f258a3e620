import s from './Spark.module.css';

interface SparkProps {
  /** At least two, oldest first. */
  values: readonly number[];
  /** The trend as text: 'Open vulnerabilities over 30 days, from 238 down to 214'. */
  label: string;
}

const [width, height] = [168, 44];

/** A small line chart without axes. */
export function Spark({ values, label }: SparkProps) {
  const points = pointsOf(values);
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  const [endX, endY] = points.at(-1) ?? [0, 0];
  return (
    <svg className={s.spark} viewBox={`0 0 ${width} ${height}`} width={width} role="img" aria-label={label}>
      <polygon className={s.area} points={`2,${height - 1} ${line} ${endX},${height - 1}`} />
      <line className={s.base} x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
      <polyline className={s.line} points={line} />
      <circle className={s.dot} cx={endX} cy={endY} r="3" />
    </svg>
  );
}

function pointsOf(values: readonly number[]): (readonly [number, number])[] {
  const lowest = Math.min(...values);
  const span = Math.max(...values) - lowest || 1;
  const step = (width - 6) / Math.max(1, values.length - 1);
  return values.map((value, index) => [index * step + 2, height - 5 - ((value - lowest) / span) * (height - 10)]);
}
