import type { scaleBand, scaleLinear } from '@visx/scale';
import type { ChartData } from './chart.ts';

export const HEIGHT = 180;
export const VALUE_TICKS = 4;
export const margin = { top: 8, right: 24, bottom: 24, left: 48 } as const;

/** The values of a chart with the scales that place them. */
export interface PlacedChart {
  data: ChartData;
  x: ReturnType<typeof scaleBand<string>>;
  y: ReturnType<typeof scaleLinear<number>>;
}
