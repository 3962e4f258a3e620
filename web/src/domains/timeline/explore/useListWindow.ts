import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { overscan, spacing } from './timelineConstants.ts';
import { type ExpandedRows, estimateOf, type TimelineRow } from './timelineRows.ts';

interface UseListWindowProps {
  list: RefObject<HTMLElement | null>;
  rows: readonly TimelineRow[];
  opened: ExpandedRows;
  /** The row that has the focus, which stays drawn wherever the reader scrolls; -1 for none. */
  active: number;
  /** Whether what comes in on top may push the list down. */
  following: boolean;
}

/** The header of the page and the day over the list, which cover what scrolls under them. */
export const covered = 56 + 32;

/**
 * Draws the rows in sight alone. What is put above the reader's place moves nothing: the place is kept by the keys of the
 * rows, never by their numbers.
 */
export function useListWindow({ list, rows, opened, active, following }: UseListWindowProps) {
  const scrollMargin = useTopOf(list);
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: rows.length,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => estimateOf(rows[index], opened),
    overscan,
    scrollMargin,
    scrollPaddingStart: covered + spacing,
    anchorTo: following ? 'start' : 'end',
    // Where the list ends, the page goes on: the reader is never to be pulled along.
    scrollEndThreshold: Number.NEGATIVE_INFINITY,
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const drawn = defaultRangeExtractor(range);
        if (active < 0 || active >= range.count || drawn.includes(active)) return drawn;
        return [...drawn, active].toSorted((one, other) => one - other);
      },
      [active],
    ),
  });
  return { virtualizer, scrollMargin };
}

/** How far down the page the list begins. What grows above it must not move what is read either. */
function useTopOf(list: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  const known = useRef<number>(undefined);
  useLayoutEffect(() => {
    const look = () => {
      if (!list.current) return;
      const now = list.current.getBoundingClientRect().top + window.scrollY;
      const moved = known.current === undefined ? 0 : now - known.current;
      if (known.current !== undefined && Math.abs(moved) < 0.5) return;
      known.current = now;
      setTop(now);
      if (moved !== 0 && window.scrollY > now) window.scrollBy({ top: moved, behavior: 'instant' });
    };
    look();
    const watch = new ResizeObserver(look);
    watch.observe(document.body);
    for (const part of list.current?.closest('main')?.children ?? []) watch.observe(part);
    return () => watch.disconnect();
  }, [list]);
  return top;
}
