import { LinePath } from '@visx/shape';
import type { PlacedChart } from './scales.ts';
import { dashOf } from './seriesLooks.ts';
import { Marker } from './seriesShapes.tsx';

/** A line for each series, with a marker for each value. */
export function Lines({ data: { series, points }, x, y }: PlacedChart) {
  const xOf = (day: string) => (x(day) ?? 0) + x.bandwidth() / 2;
  return series.map(({ key, color }, index) => (
    <g key={key}>
      <LinePath
        data={[...points]}
        defined={({ values }) => (values[key] ?? null) !== null}
        x={({ day }) => xOf(day)}
        y={({ values }) => y(values[key] ?? 0)}
        stroke={color}
        strokeWidth={2}
        strokeDasharray={dashOf(index)}
        fill="none"
      />
      {points.map(({ day, values }) => {
        const value = values[key] ?? null;
        return value !== null && <Marker key={day} index={index} color={color} x={xOf(day)} y={y(value)} />;
      })}
    </g>
  ));
}
