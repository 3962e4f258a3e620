import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useSyncExternalStore } from 'react';

/** The labels of the keys, pressed together or in sequence, and their action. */
export type Shortcut = readonly [keys: readonly string[], does: string];

export interface ShortcutGroup {
  title: string;
  shortcuts: readonly Shortcut[];
}

/** Whether single-letter shortcuts are enabled (WCAG 2.1.4). The key dates from when only Explore had it. */
export const useLetterShortcutsEnabled = () => useLocalStorage({ key: 'exploreLetters', defaultValue: true });

/** Lists the shortcuts of a page in the sheet while mounted. Pass a stable object. */
export function useShortcutGroup(group: ShortcutGroup): void {
  useEffect(() => {
    change({ ...state, groups: [...state.groups, group] });
    return () => change({ ...state, groups: state.groups.filter((other) => other !== group) });
  }, [group]);
}

export const showShortcuts = (): void => change({ ...state, shown: true });
export const hideShortcuts = (): void => change({ ...state, shown: false });

/** The shortcuts of the mounted pages, and whether the sheet is open. */
export const useShortcutSheet = (): ShortcutState => useSyncExternalStore(subscribe, () => state);

/** Elements that use letters themselves. A checkbox uses Space only. */
const letterFields = 'input:not([type=checkbox]), textarea, select, [role=menu], [role=listbox]';

/** Whether a field, menu or dialog currently handles keys. */
export function isKeyHandledElsewhere(target: EventTarget | null): boolean {
  if (document.querySelector('[role=dialog]')) return true;
  return target instanceof HTMLElement && (target.isContentEditable || target.closest(letterFields) !== null);
}

interface ShortcutState {
  groups: readonly ShortcutGroup[];
  shown: boolean;
}

let state: ShortcutState = { groups: [], shown: false };
const watchers = new Set<() => void>();

function change(next: ShortcutState): void {
  state = next;
  for (const watch of watchers) watch();
}

function subscribe(watch: () => void): () => void {
  watchers.add(watch);
  return () => watchers.delete(watch);
}
