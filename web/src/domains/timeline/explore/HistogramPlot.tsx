import { countText, sampleText } from '#ui/charts/differences.ts';
import { useRangeSelection, ZOOM_HINT } from '#ui/charts/useRangeSelection.ts';
import s from './HistogramPlot.module.css';
import type { HistogramBar } from './histogramBars.ts';
import { fullTime, tickText } from './zone.ts';

interface HistogramPlotProps {
  bars: readonly HistogramBar[];
  countedFrom: string | null;
  /** Set if the numbers are estimates. */
  sample: { events: number; share: number } | null;
  /** Minutes east of UTC. */
  offset: number;
  isStale: boolean;
  /** Milliseconds since the epoch; the end is exclusive. */
  onRange: (from: number, to: number) => void;
}

const height = 52;

/** Bars as SVG, which can be printed. A range is selected by dragging, or with arrow keys, Shift and Enter. */
export function HistogramPlot({ bars, countedFrom, sample, offset, isStale, onRange }: HistogramPlotProps) {
  const last = bars.length - 1;
  const top = Math.max(...bars.map(({ total }) => total), 1);
  const width = 100 / bars.length;
  const rangeText = (from: number, to: number) => {
    const count = bars.slice(from, to + 1).reduce((sum, { total }) => sum + total, 0);
    const [first, end] = [bars[from], bars[to]];
    return first && end
      ? `${countText(count, sample !== null)} ${count === 1 ? 'event' : 'events'} from ${fullTime(new Date(first.from).toISOString(), offset)} to ${fullTime(new Date(end.to).toISOString(), offset)}`
      : '';
  };
  const { selected, keyProps, pointerProps } = useRangeSelection(bars.length, (intervals) => {
    const [first, end] = [bars[intervals.first], bars[intervals.last]];
    if (first && end) onRange(first.from, end.to);
  });
  return (
    <div className={s.chart} data-stale={isStale || undefined}>
      <div
        role="slider"
        tabIndex={0}
        {...keyProps}
        aria-valuenow={keyProps['aria-valuenow']}
        {...pointerProps}
        className={s.plot}
        aria-label="Select a time range: arrow keys move, Shift with arrow keys extends, Enter filters the query"
        aria-valuetext={selected ? rangeText(selected.first, selected.last) : rangeText(0, last)}
      >
        <svg className={s.svg} width="100%" height={height} aria-hidden>
          {bars.map((bar, index) => {
            let foot = height;
            const isPart = countedFrom !== null && bar.from < Date.parse(countedFrom);
            return (
              <g key={bar.from} opacity={isPart ? 0.45 : 1}>
                <title>{`${rangeText(index, index)}${isPart ? ', counted partially' : ''}`}</title>
                {/* The whole column reacts to the pointer. */}
                <rect x={`${index * width}%`} width={`${width}%`} y={0} height={height} fill="transparent" />
                {bar.parts.map(({ name, ink, count }) => {
                  const size = (count / top) * (height - 4);
                  foot -= size;
                  return (
                    <rect
                      key={name}
                      x={`${index * width + width * 0.06}%`}
                      width={`${width * 0.88}%`}
                      y={foot}
                      height={Math.max(size - 0.75, 0.75)}
                      style={{ fill: ink }}
                    />
                  );
                })}
              </g>
            );
          })}
        </svg>
        {selected && (
          <span
            className={s.window}
            style={{
              insetInlineStart: `${selected.first * width}%`,
              width: `${(selected.last - selected.first + 1) * width}%`,
            }}
            aria-hidden
          />
        )}
      </div>
      <div className={s.axis} aria-hidden>
        {ticksOf(bars).map(({ from }) => (
          <span key={from}>{tickText(from, (bars[last]?.to ?? 0) - (bars[0]?.from ?? 0), offset)}</span>
        ))}
      </div>
      {sample && (
        <p className={s.note}>
          <b>Approximate:</b> {sampleText(sample)}
        </p>
      )}
      <p className={s.hint}>{ZOOM_HINT}</p>
      {countedFrom !== null && (
        <p className={s.note}>
          Counted only the newest events, back to {fullTime(countedFrom, offset)}. Narrow the query to count them all.
        </p>
      )}
    </div>
  );
}

/** Returns up to eight bars at equal distances, starting with the first. */
function ticksOf(bars: readonly HistogramBar[]): HistogramBar[] {
  const step = Math.max(1, Math.ceil(bars.length / 8));
  return bars.filter((_, index) => index % step === 0);
}
