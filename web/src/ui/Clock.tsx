import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

/** One timer for all relative times on the page: 'now' advances every 30 seconds. */
export function ClockProvider({ children }: { children: ReactNode }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 30_000);
    return () => window.clearInterval(timer);
  }, []);
  return <Now value={now}>{children}</Now>;
}

/** The current time in epoch milliseconds, rounded to the last 30 seconds. */
export function useNow(): number {
  const now = useContext(Now);
  return now ?? Date.now();
}

const Now = createContext<number | undefined>(undefined);
