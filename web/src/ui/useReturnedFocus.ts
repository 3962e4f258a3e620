import { useEffect, useRef } from 'react';

/**
 * Where the focus was when something opened has it again once that has closed, also where it was mounted open, or opened
 * from a menu that is closed by then. The title of the page has it where nothing had it, or what had it has left the page.
 */
export function useReturnedFocus(opened: boolean): void {
  const opener = useRef<HTMLElement | null>(null);
  const wasOpened = useRef(false);
  // While drawing: no effect has moved the focus yet.
  if (opened && !wasOpened.current) opener.current = openerOf(document.activeElement);
  wasOpened.current = opened;
  useEffect(() => {
    if (!opened) return;
    return () => {
      const target = opener.current;
      const closing = dialogOf(document.activeElement);
      // After what closes has left the page or given the focus away, which takes longer on a slow machine.
      const look = (tries: number): void => {
        const { activeElement } = document;
        // Another dialog that was opened meanwhile returns the focus itself.
        if (closing && dialogOf(activeElement) === closing && tries > 1) window.setTimeout(look, settled, tries - 1);
        if (!isLost(activeElement)) return;
        const isThere = target?.isConnected && !isLost(target);
        const focused = isThere ? target : document.querySelector<HTMLElement>('main h1');
        focused?.focus({ preventScroll: true });
      };
      window.setTimeout(look, settled, maxTries);
    };
  }, [opened]);
}

/** Milliseconds, longer than a dialog fades. */
const settled = 160;
const maxTries = 5;

const dialogOf = (element: Element | null) => element?.closest('[role="dialog"]') ?? null;

const isLost = (element: Element | null) => element === null || element === document.body;

/** An entry of a menu is gone with it: its button stays. */
function openerOf(element: Element | null): HTMLElement | null {
  const button = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return (button ? document.getElementById(button) : (element as HTMLElement | null)) ?? null;
}
