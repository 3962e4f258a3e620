import { DecideWaiverDialog } from './DecideWaiverDialog.tsx';
import { EndWaiverDialog } from './EndWaiverDialog.tsx';
import { RequestWaiverDialog } from './RequestWaiverDialog.tsx';
import type { WaiverAction } from './waiver-action.ts';

interface WaiverDialogProps {
  /** Undefined shows no dialog. */
  action: WaiverAction | undefined;
  onClose: () => void;
  /** Called after a request, so that a selection can be cleared. */
  onRequested?: (() => void) | undefined;
}

/** The dialog of an action on a waiver of a vulnerability or of an item of a control. */
export function WaiverDialog({ action, onClose, onRequested }: WaiverDialogProps) {
  switch (action?.kind) {
    case 'request':
      return <RequestWaiverDialog subject={action.subject} onClose={onClose} onRequested={onRequested} />;
    case 'approve':
    case 'deny':
      return <DecideWaiverDialog approve={action.kind === 'approve'} waiver={action.waiver} onClose={onClose} />;
    case 'end':
      return <EndWaiverDialog waiver={action.waiver} onClose={onClose} />;
    default:
      return null;
  }
}
