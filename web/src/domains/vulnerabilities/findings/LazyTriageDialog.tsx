import { lazy, Suspense } from 'react';
import type { Triage } from './triage/targets.ts';

const TriageDialog = lazy(async () => ({ default: (await import('./triage/TriageDialog.tsx')).TriageDialog }));

interface LazyTriageDialogProps {
  triage: Triage | undefined;
  onClose: () => void;
  onDone?: () => void;
}

/** The dialog of a decision, fetched with the first one: most come to a list to read. */
export const LazyTriageDialog = ({ triage, ...rest }: LazyTriageDialogProps) =>
  triage && (
    <Suspense>
      <TriageDialog triage={triage} {...rest} />
    </Suspense>
  );
