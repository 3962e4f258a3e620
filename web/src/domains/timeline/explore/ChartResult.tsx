import { Button } from '@mantine/core';
import type { ApiError } from '@sightline/contract/core/client.ts';
import { type ReactNode, Suspense } from 'react';
import s from './EventChart.module.css';

interface ChartResultProps<Data> {
  result: {
    data: Data | undefined;
    error: ApiError | null;
    isPlaceholderData: boolean;
    refetch: () => unknown;
  };
  children: (data: Data) => ReactNode;
}

/** The data of a chart, dimmed while those of a new query are loaded, or why there are none. */
export function ChartResult<Data>({
  result: { data, error, isPlaceholderData, refetch },
  children,
}: ChartResultProps<Data>) {
  if (error)
    return (
      <p className={s.failure} role="alert">
        The chart could not be loaded. {error.refusal?.message}{' '}
        <Button variant="subtle" size="compact-sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    );
  if (data === undefined) return <div className={s.waiting} aria-busy="true" />;
  return (
    <div className={s.body} data-stale={isPlaceholderData || undefined}>
      <Suspense fallback={<div className={s.waiting} aria-busy="true" />}>{children(data)}</Suspense>
    </div>
  );
}
