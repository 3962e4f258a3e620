import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './Dialog.tsx';

interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The question, naming the object: 'Disable ledger-api?' */
  title: string;
  /** What follows from it. */
  children: ReactNode;
  /** The verb: 'Delete'. */
  confirm: string;
  /** Cannot be undone: a red button. */
  danger?: boolean;
  /** The change is under way: the button waits, the dialog stays. */
  pending?: boolean;
  onConfirm: () => void;
}

/** Asks once more. The focus starts on Cancel when `danger`, and goes back to where it was on closing. */
export const ConfirmDialog = ({
  opened,
  onClose,
  title,
  children,
  confirm,
  danger = false,
  pending = false,
  onConfirm,
}: ConfirmDialogProps) => (
  <Dialog
    title={title}
    opened={opened}
    onClose={onClose}
    actions={
      <>
        <Button variant="default" onClick={onClose} data-autofocus={danger || undefined}>
          Cancel
        </Button>
        <Button
          {...(danger && { color: 'red', 'data-danger': true })}
          loading={pending}
          onClick={onConfirm}
          data-autofocus={!danger || undefined}
        >
          {confirm}
        </Button>
      </>
    }
  >
    {children}
  </Dialog>
);
