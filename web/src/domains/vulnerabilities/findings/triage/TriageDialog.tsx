import { WaiverDialog } from '../../waivers/WaiverDialog.tsx';
import { DismissDialog } from './DismissDialog.tsx';
import { EditDialog } from './EditDialog.tsx';
import { MergeDialog } from './MergeDialog.tsx';
import { ReopenDialog } from './ReopenDialog.tsx';
import { SplitDialog } from './SplitDialog.tsx';
import type { TriageRequest } from './targets.ts';

interface TriageDialogProps {
  /** The decision; undefined shows no dialog. */
  triage: TriageRequest | undefined;
  onClose: () => void;
  /** Called after a change, so that the selection can be cleared. */
  onDone?: (() => void) | undefined;
}

/** The dialog of a decision. */
export function TriageDialog({ triage, onClose, onDone }: TriageDialogProps) {
  switch (triage?.kind) {
    case 'dismiss':
      return <DismissDialog targets={triage.targets} onClose={onClose} onDone={onDone} />;
    case 'reopen':
      return <ReopenDialog targets={triage.targets} onClose={onClose} onDone={onDone} />;
    case 'request':
      return (
        <WaiverDialog
          action={{ kind: 'request', subject: { findings: triage.targets } }}
          onClose={onClose}
          onRequested={onDone}
        />
      );
    case 'edit':
      return <EditDialog request={triage} onClose={onClose} onDone={onDone} />;
    case 'merge':
      return <MergeDialog finding={triage.finding} onClose={onClose} />;
    case 'split':
      return <SplitDialog finding={triage.finding} onClose={onClose} />;
    default:
      return null;
  }
}
