import type { ReactNode } from 'react';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';

interface DecisionDialogProps {
  title: string;
  /** The button label: 'Dismiss'. */
  confirm: string;
  /** Whether a required field is empty. */
  incomplete?: boolean;
  pending: boolean;
  error: unknown;
  onClose: () => void;
  onConfirm: () => void;
  width?: number;
  children: ReactNode;
}

/** The dialog of every decision, with its error. */
export const DecisionDialog = ({
  confirm,
  incomplete = false,
  error,
  onConfirm,
  width = 480,
  ...frame
}: DecisionDialogProps) => (
  <FormDialog
    {...frame}
    submit={confirm}
    ready={!incomplete}
    problem={error == null ? undefined : errorMessageOf(error, 'Not saved. Your input is unchanged.')}
    width={width}
    onSubmit={onConfirm}
  />
);
