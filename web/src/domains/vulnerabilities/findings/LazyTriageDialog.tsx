import { lazy, Suspense } from 'react';
import type { TriageRequest } from './triage/targets.ts';

const TriageDialog = lazy(async () => ({ default: (await import('./triage/TriageDialog.tsx')).TriageDialog }));

interface LazyTriageDialogProps {
  triage: TriageRequest | undefined;
  onClose: () => void;
  onDone?: () => void;
}

/** Loads the decision dialog on first use, because most users only read the list. */
export const LazyTriageDialog = ({ triage, ...rest }: LazyTriageDialogProps) =>
  triage && (
    <Suspense>
      <TriageDialog triage={triage} {...rest} />
    </Suspense>
  );
