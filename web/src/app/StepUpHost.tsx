import { lazy, Suspense } from 'react';
import { resolveStepUp, useIsStepUpPending } from '#lib/step-up.ts';

const StepUpDialog = lazy(async () => ({
  default: (await import('#domains/identity/accounts/StepUpDialog.tsx')).StepUpDialog,
}));

/** Renders the reauthentication dialog while a request waits for it. */
export function StepUpHost() {
  if (!useIsStepUpPending()) return null;
  return (
    <Suspense>
      <StepUpDialog onConfirmed={() => resolveStepUp(true)} onClose={() => resolveStepUp(false)} />
    </Suspense>
  );
}
