import { useEffect, useRef } from 'react';

/**
 * Returns the focus to its former element after an overlay closes, also if it was mounted open, or opened from a menu
 * that has closed. If no element had the focus, or it was removed, the page title receives it.
 */
export function useReturnedFocus(opened: boolean): void {
  const opener = useRef<HTMLElement | null>(null);
  const wasOpened = useRef(false);
  // During rendering, before any effect moves the focus.
  if (opened && !wasOpened.current) opener.current = openerOf(document.activeElement);
  wasOpened.current = opened;
  useEffect(() => {
    if (!opened) return;
    return () => {
      const target = opener.current;
      const closing = dialogOf(document.activeElement);
      // After the closed overlay was removed or released the focus, which takes longer on a slow machine.
      const look = (tries: number): void => {
        const { activeElement } = document;
        // Another dialog that was opened meanwhile returns the focus itself.
        if (closing && dialogOf(activeElement) === closing && tries > 1) window.setTimeout(look, RETRY_MS, tries - 1);
        if (!isLost(activeElement)) return;
        const isThere = target?.isConnected && !isLost(target);
        const focused = isThere ? target : document.querySelector<HTMLElement>('main h1');
        focused?.focus({ preventScroll: true });
      };
      window.setTimeout(look, RETRY_MS, maxTries);
    };
  }, [opened]);
}

/** Milliseconds, longer than the fade of a dialog. */
const RETRY_MS = 160;
const maxTries = 5;

const dialogOf = (element: Element | null) => element?.closest('[role="dialog"]') ?? null;

const isLost = (element: Element | null) => element === null || element === document.body;

/** A menu entry is removed with its menu, so its button is used. */
function openerOf(element: Element | null): HTMLElement | null {
  const button = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return (button ? document.getElementById(button) : (element as HTMLElement | null)) ?? null;
}
