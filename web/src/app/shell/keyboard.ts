import { useEffect, useEffectEvent, useRef } from 'react';
import { isTaken, showShortcuts, useLetters } from '#lib/shortcuts.ts';
import { useNavigate } from '#ui/Link.tsx';
import type { NavigationEntry } from './navigation.ts';

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** As it is called on this keyboard. */
export const modKey = isApple ? '⌘' : 'Ctrl';

/** Milliseconds in which the letter after `g` must come. */
const patience = 1_500;

interface UseGlobalKeysProps {
  /** What `g` and a letter lead to. */
  entries: readonly NavigationEntry[];
  onPalette: () => void;
}

/** The keys that work on every page: the palette, the sheet, the search of the page, and where `g` leads. */
export function useGlobalKeys({ entries, onPalette }: UseGlobalKeysProps): void {
  const [letters] = useLetters();
  const navigate = useNavigate();
  // Not 0: times count from the opening of the page, whose first letters would come after a `g` that nobody pressed.
  const begun = useRef(Number.NEGATIVE_INFINITY);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented) return;
    if (isPaletteKey(event)) {
      // Over a dialog it would take away what is being done there. Its own opening does no harm.
      event.preventDefault();
      if (!document.querySelector('[role=dialog]')) onPalette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
    const isSecond = event.timeStamp - begun.current < patience;
    begun.current = Number.NEGATIVE_INFINITY;
    const act = letters || event.key === '?' ? actOf(event, isSecond) : undefined;
    if (!act) return;
    // Before what the page itself makes of the letter.
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
        begun.current = timeStamp;
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
