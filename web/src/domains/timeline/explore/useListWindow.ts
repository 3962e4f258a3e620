import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { overscanRows, rowSpacingPx } from './timelineConstants.ts';
import { type ExpandedRows, estimateRowHeight, type TimelineRow } from './timelineRows.ts';

interface UseListWindowProps {
  list: RefObject<HTMLElement | null>;
  rows: readonly TimelineRow[];
  opened: ExpandedRows;
  /** The focused row, which stays rendered while the reader scrolls; -1 for none. */
  active: number;
  /** Whether new rows at the top may push the list down. */
  following: boolean;
}

/** The height of the page header and the day bar, which cover the list. */
export const coveredHeightPx = 56 + 32;

/**
 * Renders only the visible rows. Rows inserted above do not move the visible ones: the scroll position is anchored to
 * row keys instead of indexes.
 */
export function useListWindow({ list, rows, opened, active, following }: UseListWindowProps) {
  const scrollMargin = useTopOf(list);
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: rows.length,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => estimateRowHeight(rows[index], opened),
    overscan: overscanRows,
    scrollMargin,
    scrollPaddingStart: coveredHeightPx + rowSpacingPx,
    anchorTo: following ? 'start' : 'end',
    // The page continues below the list, so the scroll position must not stick to its end.
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

/** Returns the offset of the list in the page. Content that grows above it must not move the visible rows. */
function useTopOf(list: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  const known = useRef<number>(undefined);
  useLayoutEffect(() => {
    const measureTop = () => {
      if (!list.current) return;
      const now = list.current.getBoundingClientRect().top + window.scrollY;
      const moved = known.current === undefined ? 0 : now - known.current;
      if (known.current !== undefined && Math.abs(moved) < 0.5) return;
      known.current = now;
      setTop(now);
      if (moved !== 0 && window.scrollY > now) window.scrollBy({ top: moved, behavior: 'instant' });
    };
    measureTop();
    const observer = new ResizeObserver(measureTop);
    observer.observe(document.body);
    for (const part of list.current?.closest('main')?.children ?? []) observer.observe(part);
    return () => observer.disconnect();
  }, [list]);
  return top;
}
