import type { Notification } from '@sightline/contract/delivery/notifications.ts';
import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { Marking } from './marking.ts';

interface UseInboxKeysProps {
  items: readonly Notification[];
  list: RefObject<HTMLUListElement | null>;
  marking: Marking;
  /** Takes out of the view, or back into it. */
  onArchive: (item: Notification) => void;
}

/** Where single letters do nothing, as people chose in the sheet of shortcuts. */
const areLettersOff = () => window.localStorage.getItem('exploreLetters') === 'false';

/** j and k walk, Enter opens, e archives, u marks as unread or read, s saves, / goes to the search. */
export function useInboxKeys({ items, list, marking, onArchive }: UseInboxKeysProps): void {
  const links = () => [...(list.current?.querySelectorAll<HTMLElement>('a[data-row]') ?? [])];
  const here = () => links().findIndex((link) => link.closest('li')?.contains(document.activeElement));
  const walk = (step: 1 | -1) => {
    const all = links();
    const at = here();
    const next = at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + step));
    all[next]?.focus();
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    if (isField(target) || document.querySelector('[role=dialog]') || areLettersOff()) return;
    const item = items[here()];
    const acts: Record<string, (() => void) | undefined> = {
      j: () => walk(1),
      k: () => walk(-1),
      '/': () => document.querySelector<HTMLElement>('main [role=search] input')?.focus(),
      ...(item && {
        e: () => archive(item),
        u: () => marking.mark([item], item.status === 'unread' ? 'read' : 'unread'),
        s: () => marking.save(item, !item.saved),
      }),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  const archive = (item: Notification) => {
    // Before the row goes, and the focus with it: whoever works through the list goes on with its neighbor.
    const all = links();
    const at = here();
    (all[at + 1] ?? all[at - 1])?.focus();
    onArchive(item);
  };
  useEffect(() => {
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

const isField = (element: HTMLElement) => element.isContentEditable || element.matches('input, textarea, select');
