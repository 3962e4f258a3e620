import { scaleBand } from '@visx/scale';
import { Bar } from '@visx/shape';
import { useId } from 'react';
import type { PlacedChart } from './scales.ts';
import { SeriesPattern } from './seriesShapes.tsx';

/** The bars of each interval, side by side. */
export function Bars({ data: { series, points }, x, y }: PlacedChart) {
  const id = useId();
  const within = scaleBand({ domain: series.map(({ key }) => key), range: [0, x.bandwidth()], padding: 0.1 });
  const bottom = y(0);
  return series.map(({ key, color }, index) => (
    <g key={key}>
      <SeriesPattern id={`${id}${index}`} index={index} color={color} />
      {points.map(({ day, values }) => {
        const value = values[key] ?? 0;
        if (value === 0) return null;
        return (
          <Bar
            key={day}
            x={(x(day) ?? 0) + (within(key) ?? 0)}
            y={y(value)}
            width={within.bandwidth()}
            height={bottom - y(value)}
            fill={`url(#${id}${index})`}
            stroke={color}
          />
        );
      })}
    </g>
  ));
}
