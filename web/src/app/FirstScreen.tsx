import { useIsFetching } from '@tanstack/react-query';
import { useEffect } from 'react';
import { reportFirstScreen } from '#lib/first-screen.ts';

/** A request that follows another one begins within this time. */
const PAUSE_MS = 100;

/** Rendered with the page: reports that it is shown once its requests have ended. */
export function FirstScreen() {
  const isQuiet = useIsFetching() === 0;
  useEffect(() => {
    if (!isQuiet) return undefined;
    const timer = setTimeout(reportFirstScreen, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isQuiet]);
  return null;
}
