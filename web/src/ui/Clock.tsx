import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

/** One timer for every relative time on the page: 'now' moves on each half minute. */
export function ClockProvider({ children }: { children: ReactNode }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 30_000);
    return () => window.clearInterval(timer);
  }, []);
  return <Now value={now}>{children}</Now>;
}

/** Now in epoch milliseconds, as of the last half minute. */
export function useNow(): number {
  const now = useContext(Now);
  return now ?? Date.now();
}

const Now = createContext<number | undefined>(undefined);
