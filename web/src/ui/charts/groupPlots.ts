import { lazy } from 'react';

// The chart library is loaded with the first chart.
export const GroupBars = lazy(async () => ({ default: (await import('./GroupBars.tsx')).GroupBars }));
export const GroupLines = lazy(async () => ({ default: (await import('./GroupLines.tsx')).GroupLines }));
export const WeekGrid = lazy(async () => ({ default: (await import('./WeekGrid.tsx')).WeekGrid }));
