import { useId } from 'react';
import type { ChartKind } from './chart.ts';
import { dashOf } from './seriesLooks.ts';
import { Marker, SeriesPattern } from './seriesShapes.tsx';

interface SeriesMarkProps {
  kind: ChartKind;
  /** The position of the series. */
  index: number;
  color: string;
  /** False for lines without markers. */
  hasMarker?: boolean;
}

/** The bar or line of a series in the legend. */
export function SeriesMark({ kind, index, color, hasMarker = true }: SeriesMarkProps) {
  const pattern = `${useId()}mark`;
  return (
    <svg width={kind === 'bars' ? 12 : 22} height={12} aria-hidden>
      {kind === 'bars' ? (
        <>
          <SeriesPattern id={pattern} index={index} color={color} />
          <rect x={0.5} y={0.5} width={11} height={11} fill={`url(#${pattern})`} stroke={color} />
        </>
      ) : (
        <>
          <line x1={0} x2={22} y1={6} y2={6} stroke={color} strokeWidth={2} strokeDasharray={dashOf(index)} />
          {hasMarker && <Marker index={index} color={color} x={11} y={6} />}
        </>
      )}
    </svg>
  );
}
