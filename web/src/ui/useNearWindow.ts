import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** How far below the window an element is prepared. */
const MARGIN_PX = 300;
/** Input that shows that the page is being read: the rest of it is prepared as well, before it is scrolled to. */
const inputEvents = ['pointermove', 'keydown', 'wheel', 'touchstart'] as const;

let isRead = false;

/**
 * Whether an element has come near the window, or the page has been used or is printed; then true for good. Expensive
 * content below the window waits for it, in an element that reserves its height.
 */
export function useNearWindow<E extends Element>(): { ref: RefObject<E | null>; isNear: boolean } {
  const ref = useRef<E>(null);
  const [isNear, setNear] = useState(isRead);
  useEffect(() => {
    if (isNear || !ref.current) return undefined;
    const prepare = () => setNear(true);
    const onInput = () => {
      isRead = true;
      prepare();
    };
    // A printed page is never scrolled, and is drawn when the event ends.
    const onPrint = () => flushSync(prepare);
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && prepare(), {
      rootMargin: `0px 0px ${MARGIN_PX}px`,
    });
    observer.observe(ref.current);
    for (const event of inputEvents) window.addEventListener(event, onInput, { once: true, passive: true });
    window.addEventListener('beforeprint', onPrint);
    return () => {
      observer.disconnect();
      for (const event of inputEvents) window.removeEventListener(event, onInput);
      window.removeEventListener('beforeprint', onPrint);
    };
  }, [isNear]);
  return { ref, isNear };
}
