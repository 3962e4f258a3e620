import { useElementSize } from '@mantine/hooks';
import { scaleBand, scaleLinear } from '@visx/scale';
import { useState } from 'react';
import { DayAxis, ValueAxis } from './Axes.tsx';
import { Bars } from './Bars.tsx';
import s from './Chart.module.css';
import { ChartReadout } from './ChartReadout.tsx';
import type { ChartData, ChartKind } from './chart.ts';
import { Lines } from './Lines.tsx';
import { HEIGHT, margin, VALUE_TICKS } from './scales.ts';

export interface ChartPlotProps {
  kind: ChartKind;
  data: ChartData;
  /** The chart as text. */
  label: string;
}

/** The width until the element is measured. */
const USUAL_WIDTH = 680;

/** Draws the values of a chart with both axes. Shows the values of the interval under the pointer. */
export function ChartPlot({ kind, data, label }: ChartPlotProps) {
  const { ref, width: measured } = useElementSize<HTMLDivElement>();
  const [pointed, setPointed] = useState<string>();
  const width = measured || USUAL_WIDTH;
  const x = scaleBand({
    domain: data.points.map(({ day }) => day),
    range: [margin.left, width - margin.right],
    paddingInner: 0.25,
  });
  const y = scaleLinear({
    domain: [0, data.unit === 'share' ? 1 : maxOf(data)],
    range: [HEIGHT - margin.bottom, margin.top],
    nice: data.unit === 'count' && VALUE_TICKS,
  });
  const placed = { data, x, y };
  const point = data.points.find(({ day }) => day === pointed);
  return (
    <div ref={ref} className={s.plot} onPointerLeave={() => setPointed(undefined)}>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} width="100%" height={HEIGHT} role="img" aria-label={label}>
        <ValueAxis {...placed} />
        <DayAxis {...placed} pointed={pointed} onPoint={setPointed} />
        <g className={s.values}>{kind === 'bars' ? <Bars {...placed} /> : <Lines {...placed} />}</g>
      </svg>
      {point && <ChartReadout data={data} point={point} share={(x(point.day) ?? 0) / width} />}
    </div>
  );
}

const maxOf = ({ series, points }: ChartData): number =>
  Math.max(1, ...points.flatMap(({ values }) => series.map(({ key }) => values[key] ?? 0)));
