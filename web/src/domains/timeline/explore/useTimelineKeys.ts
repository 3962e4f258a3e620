import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent } from 'react';
import {
  isKeyHandledElsewhere,
  type ShortcutGroup,
  useLetterShortcutsEnabled,
  useShortcutGroup,
} from '#lib/shortcuts.ts';
import type { TimelineRow } from './timelineRows.ts';
import { coveredHeightPx } from './useListWindow.ts';
import type { RowExpansion } from './useOpened.ts';

interface UseTimelineKeysProps {
  rows: readonly TimelineRow[];
  /** The focused row, -1 for none. */
  active: number;
  virtualizer: Virtualizer<Window, HTMLLIElement>;
  opener: RowExpansion;
}

const group: ShortcutGroup = {
  title: 'Timeline',
  shortcuts: [
    [['j'], 'Next event'],
    [['k'], 'Previous event'],
    [['Enter'], 'Show or hide details'],
    [['e'], 'Show ten more similar events, then collapse them'],
    [['Alt', 'Click'], 'Exclude a person or thing'],
  ],
};

/** Shortcuts: j and k move, Enter expands an event, e expands a group. */
export function useTimelineKeys({ rows, active, virtualizer, opener }: UseTimelineKeysProps): void {
  const [letters] = useLetterShortcutsEnabled();
  useShortcutGroup(group);

  const focusOn = (index: number) => {
    virtualizer.scrollToIndex(index, { align: 'auto' });
    const key = rows[index]?.key;
    // A row outside the view is rendered within the next frames.
    const seek = (tries: number) => {
      const element = key === undefined ? undefined : virtualizer.elementsCache.get(key);
      if (element) element.focus({ preventScroll: true });
      else if (tries > 0) requestAnimationFrame(() => seek(tries - 1));
    };
    seek(10);
  };
  const moveFocus = (step: 1 | -1) => {
    const start = active >= 0 ? active + step : firstInSight(virtualizer);
    for (let index = start; index >= 0 && index < rows.length; index += step) {
      if (rows[index]?.type === 'event') return focusOn(index);
    }
  };
  const expand = () => {
    const row = rows[active];
    if (row === undefined || row.type === 'date' || row.group.events.length === 1) return;
    const more = rows.find((other) => other.type === 'group' && other.group === row.group);
    if (more?.type === 'group' && more.shown === row.group.events.length - 1) opener.collapse(row.group);
    else opener.expand(row.group);
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    if (isKeyHandledElsewhere(event.target)) return;
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    const row = rows[active];
    if (event.key === 'Enter') {
      if (row?.type === 'event' && target.dataset.key === row.key) opener.toggleDetails(row.event.uuid);
      return;
    }
    const act = letters ? { j: () => moveFocus(1), k: () => moveFocus(-1), e: expand }[event.key] : undefined;
    if (!act) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

const firstInSight = (virtualizer: UseTimelineKeysProps['virtualizer']) =>
  virtualizer.getVirtualItemForOffset((virtualizer.scrollOffset ?? 0) + coveredHeightPx)?.index ?? 0;
