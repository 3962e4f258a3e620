import { Button } from '@mantine/core';
import type { ApiError } from '@sightline/contract/core/client.ts';
import { type ReactNode, useState } from 'react';
import { Failure } from '../Failure.tsx';
import { Link } from '../Link.tsx';
import { useLoaded } from '../useLoaded.ts';
import { useNearWindow } from '../useNearWindow.ts';
import s from './Chart.module.css';
import type { ChartPlotProps } from './ChartPlot.tsx';
import { ChartTable } from './ChartTable.tsx';
import { type ChartData, type ChartKind, chartSummary, isEmptyChart } from './chart.ts';
import { SeriesMark } from './SeriesMark.tsx';

// The chart library is loaded with the first chart.
const loadPlot = () => import('./ChartPlot.tsx');

interface ChartProps {
  title: string;
  /** The level of the title; default 3, below the title of a card. */
  level?: 2 | 3;
  kind: ChartKind;
  /** undefined while loading. */
  data: ChartData | undefined;
  failure: ApiError | null;
  onRetry: () => void;
  /** Why there are no values, and what would create them. */
  empty: ReactNode;
  /** Selects what is shown. */
  controls?: ReactNode;
}

/** A chart with its legend, whose entries link to the lists they count, and the same data as a table. */
export function Chart({ title, level = 3, kind, data, failure, onRetry, empty, controls }: ChartProps) {
  const [isTable, setIsTable] = useState(false);
  const isEmpty = data !== undefined && isEmptyChart(data);
  const Title = level === 2 ? 'h2' : 'h3';
  return (
    <figure className={s.chart}>
      <figcaption className={s.head}>
        <Title className={s.title}>{title}</Title>
        {controls}
        {data && !isEmpty && (
          <Button className={s.toggle ?? ''} variant="subtle" size="compact-xs" onClick={() => setIsTable(!isTable)}>
            {isTable ? 'Show chart' : 'Show table'}
            <span className="vh"> of {title}</span>
          </Button>
        )}
      </figcaption>
      {!data ? (
        failure ? (
          <Failure title={`${title} could not be loaded`} error={failure} onRetry={onRetry} />
        ) : (
          <ChartPlaceholder />
        )
      ) : isEmpty ? (
        <p className={s.empty}>{empty}</p>
      ) : (
        <>
          <Legend kind={kind} data={data} />
          {isTable ? (
            <ChartTable label={title} data={data} />
          ) : (
            <NearPlot kind={kind} data={data} label={chartSummary(title, data)} />
          )}
        </>
      )}
    </figure>
  );
}

/** The plot, drawn once it comes near the window: it has hundreds of elements. */
function NearPlot(plot: ChartPlotProps) {
  const { ref, isNear } = useNearWindow<HTMLDivElement>();
  const loaded = useLoaded(isNear ? loadPlot : undefined);
  return (
    <div ref={ref}>
      {loaded ? (
        <loaded.ChartPlot {...plot} />
      ) : isNear ? (
        <ChartPlaceholder withoutLegend />
      ) : (
        <div className={s.placeholder} data-plot />
      )}
    </div>
  );
}

const ChartPlaceholder = ({ withoutLegend }: { withoutLegend?: boolean }) => (
  <div className={s.placeholder} data-plot={withoutLegend} aria-busy="true">
    <span className="vh">Loading</span>
  </div>
);

const Legend = ({ kind, data }: { kind: ChartKind; data: ChartData }) => (
  <ul className={s.legend}>
    {data.series.map(({ key, label, color, total, href }, index) => {
      const entry = (
        <>
          <SeriesMark kind={kind} index={index} color={color} />
          {label} {total !== undefined && <b>{total}</b>}
        </>
      );
      return <li key={key}>{href === undefined ? <span>{entry}</span> : <Link href={href}>{entry}</Link>}</li>;
    })}
  </ul>
);
