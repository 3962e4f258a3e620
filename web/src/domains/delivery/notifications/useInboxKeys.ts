import type { Notification } from '@sightline/contract/delivery/notifications.ts';
import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { NotificationActions } from './useNotificationActions.ts';

interface UseInboxKeysProps {
  items: readonly Notification[];
  list: RefObject<HTMLUListElement | null>;
  marking: NotificationActions;
  /** Archives a notification, or restores it. */
  onArchive: (item: Notification) => void;
}

/** Whether the user disabled single-letter shortcuts in the list of shortcuts. */
const areLettersOff = () => window.localStorage.getItem('exploreLetters') === 'false';

/** Shortcuts: j and k move, Enter opens, e archives, u toggles unread, s saves, / focuses the search. */
export function useInboxKeys({ items, list, marking, onArchive }: UseInboxKeysProps): void {
  const links = () => [...(list.current?.querySelectorAll<HTMLElement>('a[data-row]') ?? [])];
  const focusedIndex = () => links().findIndex((link) => link.closest('li')?.contains(document.activeElement));
  const moveFocus = (step: 1 | -1) => {
    const all = links();
    const at = focusedIndex();
    const next = at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + step));
    all[next]?.focus();
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    if (isField(target) || document.querySelector('[role=dialog]') || areLettersOff()) return;
    const item = items[focusedIndex()];
    const actions: Record<string, (() => void) | undefined> = {
      j: () => moveFocus(1),
      k: () => moveFocus(-1),
      '/': () => document.querySelector<HTMLElement>('main [role=search] input')?.focus(),
      ...(item && {
        e: () => archive(item),
        u: () => marking.mark([item], item.status === 'unread' ? 'read' : 'unread'),
        s: () => marking.save(item, !item.saved),
      }),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  const archive = (item: Notification) => {
    // Before the focused row is removed, the focus moves to its neighbor, so that the user can continue.
    const all = links();
    const at = focusedIndex();
    (all[at + 1] ?? all[at - 1])?.focus();
    onArchive(item);
  };
  useEffect(() => {
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

const isField = (element: HTMLElement) => element.isContentEditable || element.matches('input, textarea, select');
