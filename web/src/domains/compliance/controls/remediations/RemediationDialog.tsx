import { RetestDialog } from './RetestDialog.tsx';
import type { RemediationAction } from './remediation-action.ts';
import { StateRemediationDialog } from './StateRemediationDialog.tsx';

interface RemediationDialogProps {
  /** Undefined shows no dialog. */
  action: RemediationAction | undefined;
  onClose: () => void;
  /** Called after a change, so that a selection can be cleared. */
  onChanged?: (() => void) | undefined;
}

/** The dialog of an action on failed items of a control. */
export function RemediationDialog({ action, onClose, onChanged }: RemediationDialogProps) {
  if (action === undefined) return null;
  return action.kind === 'retest' ? (
    <RetestDialog remediationId={action.remediationId} name={action.name} onClose={onClose} />
  ) : (
    <StateRemediationDialog {...action} onClose={onClose} onChanged={onChanged} />
  );
}
