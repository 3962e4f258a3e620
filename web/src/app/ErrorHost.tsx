import { lazy, Suspense } from 'react';
import { closeError, useShownError } from './errors.ts';

const ErrorDialog = lazy(async () => ({ default: (await import('./shell/ErrorDialog.tsx')).ErrorDialog }));

/** Renders the error dialog while an error is shown. */
export function ErrorHost() {
  const error = useShownError();
  if (!error) return null;
  return (
    <Suspense>
      <ErrorDialog error={error} onClose={closeError} onReload={() => window.location.reload()} />
    </Suspense>
  );
}
