import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useSyncExternalStore } from 'react';

/** The keys as they stand on a keyboard, pressed together or one after the other, and what they do. */
export type Shortcut = readonly [keys: readonly string[], does: string];

export interface ShortcutGroup {
  title: string;
  shortcuts: readonly Shortcut[];
}

/** Whether single letters do anything (WCAG 2.1.4). It was a setting of Explore alone before, and keeps that name. */
export const useLetters = () => useLocalStorage({ key: 'exploreLetters', defaultValue: true });

/** While the page is shown, the sheet lists what its keys do. Give the same object each time. */
export function useShortcutGroup(group: ShortcutGroup): void {
  useEffect(() => {
    change({ ...state, groups: [...state.groups, group] });
    return () => change({ ...state, groups: state.groups.filter((other) => other !== group) });
  }, [group]);
}

export const showShortcuts = (): void => change({ ...state, shown: true });
export const hideShortcuts = (): void => change({ ...state, shown: false });

/** What the pages in sight answer to, and whether the sheet is open. */
export const useShortcutSheet = (): ShortcutState => useSyncExternalStore(subscribe, () => state);

/** Whether keys belong to something else just now: a field, a menu, a dialog. */
export function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[role=dialog]')) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role=menu], [role=listbox]') !== null)
  );
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
