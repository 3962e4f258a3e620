import type { ReactNode } from 'react';
import { reasonOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';

interface DecisionDialogProps {
  title: string;
  /** The verb: 'Dismiss'. */
  confirm: string;
  /** Something is missing yet. */
  incomplete?: boolean;
  pending: boolean;
  error: unknown;
  onClose: () => void;
  onConfirm: () => void;
  width?: number;
  children: ReactNode;
}

/** The frame of every decision, with what is said when it could not be saved. */
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
    problem={error == null ? undefined : reasonOf(error, 'Not saved. Your input is unchanged.')}
    width={width}
    onSubmit={onConfirm}
  />
);
