import { useLocalStorage } from '@mantine/hooks';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Row } from './timelineRows.ts';
import { covered } from './useListWindow.ts';
import type { Opener } from './useOpened.ts';

interface Props {
  rows: readonly Row[];
  /** The row with the focus, -1 for none. */
  active: number;
  virtualizer: Virtualizer<Window, HTMLLIElement>;
  opener: Opener;
}

export interface Shortcuts {
  sheet: boolean;
  setSheet: (open: boolean) => void;
  /** Whether single letters do anything (WCAG 2.1.4). */
  letters: boolean;
  setLetters: (on: boolean) => void;
}

/** j and k walk, Enter opens, e expands a group, / goes to the filter, ? shows all this. */
export function useTimelineKeys({ rows, active, virtualizer, opener }: Props): Shortcuts {
  const [sheet, setSheet] = useState(false);
  const [letters, setLetters] = useLocalStorage({ key: 'exploreLetters', defaultValue: true });

  const focusOn = (index: number) => {
    virtualizer.scrollToIndex(index, { align: 'auto' });
    const key = rows[index]?.key;
    // Drawn with the next frames where it was out of sight.
    const seek = (tries: number) => {
      const element = key === undefined ? undefined : virtualizer.elementsCache.get(key);
      if (element) element.focus({ preventScroll: true });
      else if (tries > 0) requestAnimationFrame(() => seek(tries - 1));
    };
    seek(10);
  };
  const walk = (step: 1 | -1) => {
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
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    if (isField(target) || document.querySelector('[role=dialog]')) return;
    const row = rows[active];
    if (event.key === 'Enter') {
      if (row?.type === 'event' && target.dataset.key === row.key) opener.toggleDetails(row.event.uuid);
      return;
    }
    if (!letters && event.key !== '?') return;
    const act = { j: () => walk(1), k: () => walk(-1), e: expand, '/': focusFilter, '?': () => setSheet(true) }[
      event.key
    ];
    if (!act) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return { sheet, setSheet, letters, setLetters };
}

const firstInSight = (virtualizer: Props['virtualizer']) =>
  virtualizer.getVirtualItemForOffset((virtualizer.scrollOffset ?? 0) + covered)?.index ?? 0;

const isField = (element: HTMLElement) => element.isContentEditable || element.matches('input, textarea, select');

function focusFilter(): void {
  document.querySelector<HTMLElement>('main [role=search] input')?.focus();
}
