import { useEffect, useEffectEvent, useRef } from 'react';
import { isKeyHandledElsewhere, showShortcuts, useLetterShortcutsEnabled } from '#lib/shortcuts.ts';
import { useNavigate } from '#ui/Link.tsx';
import type { NavigationEntry } from './navigation.ts';

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The label of the modifier key on this keyboard. */
export const modKey = isApple ? '⌘' : 'Ctrl';

/** Milliseconds after `g` in which the letter must follow. */
const SEQUENCE_TIMEOUT_MS = 1_500;

interface UseGlobalKeysProps {
  /** The entries reachable with `g` and a letter. */
  entries: readonly NavigationEntry[];
  onPalette: () => void;
}

/** The global shortcuts: the palette, the sheet, the search of the page, and navigation with `g`. */
export function useGlobalKeys({ entries, onPalette }: UseGlobalKeysProps): void {
  const [letters] = useLetterShortcutsEnabled();
  const navigate = useNavigate();
  // Not 0, since times count from the opening of the page: its first letters would count as preceded by `g`.
  const startedAt = useRef(Number.NEGATIVE_INFINITY);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented) return;
    if (isPaletteKey(event)) {
      // Does not open over a dialog, whose work would be lost. Its own open dialog does no harm.
      event.preventDefault();
      if (!document.querySelector('[role=dialog]')) onPalette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isKeyHandledElsewhere(event.target)) return;
    const isSecond = event.timeStamp - startedAt.current < SEQUENCE_TIMEOUT_MS;
    startedAt.current = Number.NEGATIVE_INFINITY;
    const act = letters || event.key === '?' ? actOf(event, isSecond) : undefined;
    if (!act) return;
    // Before the page handles the letter itself.
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  const actOf = ({ key, timeStamp }: KeyboardEvent, isSecond: boolean): (() => void) | undefined => {
    const entry = isSecond ? entries.find(({ letter }) => letter === key) : undefined;
    if (entry) return () => navigate(entry.href);
    if (key === '?') return showShortcuts;
    if (key === 'g') {
      return () => {
        startedAt.current = timeStamp;
      };
    }
    const search = key === '/' ? document.querySelector<HTMLElement>(pageSearch) : null;
    return search ? () => search.focus() : undefined;
  };
  useEffect(() => {
    window.addEventListener('keydown', press, true);
    return () => window.removeEventListener('keydown', press, true);
  }, []);
}

const pageSearch = 'main [role=search] input, main input[type=search]';

const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  key.toLowerCase() === 'k' && (isApple ? metaKey : ctrlKey) && !altKey && !shiftKey;
