import { DecideDialog } from './DecideDialog.tsx';
import { DismissDialog } from './DismissDialog.tsx';
import { MergeDialog } from './MergeDialog.tsx';
import { ReopenDialog } from './ReopenDialog.tsx';
import { RequestDialog } from './RequestDialog.tsx';
import { SplitDialog } from './SplitDialog.tsx';
import type { TriageRequest } from './targets.ts';
import { WithdrawDialog } from './WithdrawDialog.tsx';

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
      return <RequestDialog targets={triage.targets} onClose={onClose} onDone={onDone} />;
    case 'approve':
    case 'refuse':
      return (
        <DecideDialog
          approve={triage.kind === 'approve'}
          target={triage.target}
          exception={triage.exception}
          onClose={onClose}
        />
      );
    case 'withdraw':
      return <WithdrawDialog target={triage.target} exception={triage.exception} onClose={onClose} />;
    case 'merge':
      return <MergeDialog finding={triage.finding} onClose={onClose} />;
    case 'split':
      return <SplitDialog finding={triage.finding} onClose={onClose} />;
    default:
      return null;
  }
}
