import { type RefObject, useEffect, useRef, useState } from 'react';

/** How far below the window an element is prepared. */
const MARGIN_PX = 300;
/** Input that shows that the page is being read, and printing, prepare everything: a printed page is never scrolled. */
const wakingEvents = ['pointermove', 'keydown', 'wheel', 'touchstart', 'beforeprint'] as const;

/**
 * Whether an element has come near the window, or the page has been used; then true for good. Expensive content below the
 * window waits for it, in an element that reserves its height.
 */
export function useNearWindow<E extends Element>(): { ref: RefObject<E | null>; isNear: boolean } {
  const ref = useRef<E>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || !ref.current) return undefined;
    const wake = () => setNear(true);
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && wake(), {
      rootMargin: `0px 0px ${MARGIN_PX}px`,
    });
    observer.observe(ref.current);
    for (const event of wakingEvents) window.addEventListener(event, wake, { once: true, passive: true });
    return () => {
      observer.disconnect();
      for (const event of wakingEvents) window.removeEventListener(event, wake);
    };
  }, [isNear]);
  return { ref, isNear };
}
