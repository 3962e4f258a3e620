import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import s from './Histogram.module.css';
import type { HistogramBar } from './histogramBars.ts';
import { clockTime, fullTime } from './zone.ts';

interface HistogramPlotProps {
  bars: readonly HistogramBar[];
  countedFrom: string | null;
  /** Minutes east of UTC. */
  offset: number;
  isStale: boolean;
  /** Milliseconds since the epoch; the end is exclusive. */
  onRange: (from: number, to: number) => void;
}

const height = 52;

/** Bars as SVG, which can be printed. A range is selected by dragging, or with arrow keys, Shift and Enter. */
export function HistogramPlot({ bars, countedFrom, offset, isStale, onRange }: HistogramPlotProps) {
  const plot = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<{ anchor: number; at: number }>();
  const last = bars.length - 1;
  const top = Math.max(...bars.map(({ total }) => total), 1);
  const width = 100 / bars.length;
  const [low, high] = chosen ? [Math.min(chosen.anchor, chosen.at), Math.max(chosen.anchor, chosen.at)] : [0, -1];
  const rangeText = (from: number, to: number) => {
    const count = bars.slice(from, to + 1).reduce((sum, { total }) => sum + total, 0);
    const [first, end] = [bars[from], bars[to]];
    return first && end
      ? `${number.format(count)} ${count === 1 ? 'event' : 'events'} from ${fullTime(new Date(first.from).toISOString(), offset)} to ${fullTime(new Date(end.to).toISOString(), offset)}`
      : '';
  };
  const submitRange = () => {
    const [first, end] = [bars[low], bars[high]];
    if (chosen && first && end) onRange(first.from, end.to);
  };
  const indexAt = (event: PointerEvent) => {
    const box = plot.current?.getBoundingClientRect();
    return box ? Math.max(0, Math.min(last, Math.floor(((event.clientX - box.left) / box.width) * bars.length))) : 0;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = chosen?.at ?? last;
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (next !== undefined) {
      const index = chosen ? Math.max(0, Math.min(last, next)) : last;
      setChosen({ anchor: event.shiftKey && chosen ? chosen.anchor : index, at: index });
    } else if (event.key === 'Enter' || event.key === ' ') submitRange();
    else if (event.key === 'Escape') setChosen(undefined);
    else return;
    event.preventDefault();
  };
  return (
    <div className={s.chart} data-stale={isStale || undefined}>
      <div
        ref={plot}
        className={s.plot}
        role="slider"
        tabIndex={0}
        aria-label="Select a time range: arrow keys move, Shift with arrow keys extends, Enter filters the query"
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={chosen?.at ?? last}
        aria-valuetext={chosen ? rangeText(low, high) : rangeText(0, last)}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const index = indexAt(event);
          setChosen({ anchor: index, at: index });
        }}
        onPointerMove={(event) => {
          if (!chosen || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
          const at = indexAt(event);
          if (at !== chosen.at) setChosen({ ...chosen, at });
        }}
        onPointerUp={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && submitRange()}
        onPointerCancel={() => setChosen(undefined)}
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
        {chosen && (
          <span
            className={s.window}
            style={{ insetInlineStart: `${low * width}%`, width: `${(high - low + 1) * width}%` }}
            aria-hidden
          />
        )}
      </div>
      <div className={s.axis} aria-hidden>
        {ticksOf(bars).map(({ from }) => (
          <span key={from}>{tick(from, (bars[0]?.to ?? 0) - (bars[0]?.from ?? 0), bars.length, offset)}</span>
        ))}
      </div>
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

/** Formats a time within a day, or the date for longer ranges. */
function tick(at: number, size: number, count: number, offset: number): string {
  if (size * count <= 36 * 3_600_000) return clockTime(at, offset).slice(0, 5);
  return (size * count < 300 * 86_400_000 ? date : month).format(at + offset * 60_000);
}

const date = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const month = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'short', year: 'numeric' });
const number = new Intl.NumberFormat('en-GB');
