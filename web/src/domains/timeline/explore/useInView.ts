import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

/** Calls `onChange` when an element comes within `margin` of the window, and when it leaves it. */
export function useInView<E extends Element>(onChange: (inView: boolean) => void, margin: string): RefObject<E | null> {
  const target = useRef<E>(null);
  const notify = useEffectEvent(onChange);
  useEffect(() => {
    if (!target.current) return;
    const observer = new IntersectionObserver(([entry]) => entry && notify(entry.isIntersecting), {
      rootMargin: `${margin} 0px`,
    });
    observer.observe(target.current);
    return () => observer.disconnect();
  }, [margin]);
  return target;
}
