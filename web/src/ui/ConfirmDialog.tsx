import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './Dialog.tsx';

interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The question, which names the object: 'Disable ledger-api?' */
  title: string;
  /** The consequences. */
  children: ReactNode;
  /** The verb: 'Delete'. */
  confirm: string;
  /** Irreversible: a red button. */
  danger?: boolean;
  /** The change is pending: the button shows progress, and the dialog remains open. */
  pending?: boolean;
  onConfirm: () => void;
}

/** A confirmation dialog. The focus starts on Cancel if `danger`, and is returned on closing. */
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
