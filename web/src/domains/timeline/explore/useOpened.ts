import { useMemo, useState } from 'react';
import type { EventGroup } from './grouping.ts';
import { groupStep } from './timelineConstants.ts';
import type { ExpandedRows } from './timelineRows.ts';

export interface RowExpansion {
  toggleDetails: (uuid: string) => void;
  /** Shows ten more similar events (spec 2.6). */
  expand: (group: EventGroup) => void;
  collapse: (group: EventGroup) => void;
}

/** The expanded rows, initially a linked event. The functions have a stable identity. */
export function useExpandedRows(linked: string | undefined): readonly [ExpandedRows, RowExpansion] {
  const [opened, setOpened] = useState<ExpandedRows>(() => ({
    details: new Set(linked === undefined ? [] : [linked]),
    groups: new Map(),
  }));
  const opener = useMemo<RowExpansion>(
    () => ({
      toggleDetails: (uuid) =>
        setOpened((before) => {
          const details = new Set(before.details);
          if (!details.delete(uuid)) details.add(uuid);
          return { ...before, details };
        }),
      expand: ({ id, events }) =>
        setOpened((before) => {
          const shown = Math.min((before.groups.get(id) ?? 0) + groupStep, events.length - 1);
          return { ...before, groups: new Map(before.groups).set(id, shown) };
        }),
      collapse: ({ id, events: [, ...similar] }) =>
        setOpened((before) => {
          const groups = new Map(before.groups);
          groups.delete(id);
          const details = new Set(before.details);
          for (const { uuid } of similar) details.delete(uuid);
          return { details, groups };
        }),
    }),
    [],
  );
  return [opened, opener];
}
