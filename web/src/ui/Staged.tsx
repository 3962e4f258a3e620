import { Children, type ReactNode, startTransition, useEffect, useState } from 'react';

/** Renders its children one after the other, so that the browser can respond between them. */
export function Staged({ children }: { children: ReactNode }) {
  const all = Children.toArray(children);
  const [count, setCount] = useState(1);
  useEffect(() => {
    if (count >= all.length) return undefined;
    const timer = setTimeout(() => startTransition(() => setCount(count + 1)));
    return () => clearTimeout(timer);
  }, [count, all.length]);
  return all.slice(0, count);
}
