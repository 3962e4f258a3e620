import { Button } from '@mantine/core';
import { useState } from 'react';
import { ErrorDialog } from '#app/shell/ErrorDialog.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { toast } from '#ui/toast.ts';
import s from './gallery.module.css';

export function DialogsPage() {
  const [open, setOpen] = useState<'confirm' | 'error'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <PageHeader title="Dialogs and toasts" />
      <div className={s.row}>
        <Button variant="default" onClick={() => setOpen('confirm')}>
          Confirm
        </Button>
        <Button variant="default" onClick={() => setOpen('error')}>
          Error
        </Button>
        <Button
          variant="default"
          onClick={() => {
            toast.success('Invitation sent to lena@kestrelpay.example.');
            toast.info('Signed in to Auditwell.');
            toast.error('lena@kestrelpay.example is a member already.');
          }}
        >
          Toasts
        </Button>
      </div>
      <ConfirmDialog
        opened={open === 'confirm'}
        onClose={close}
        title="Disable ledger-api?"
        confirm="Disable"
        danger
        onConfirm={close}
      >
        Members lose access to its pull requests, vulnerabilities and events until it is enabled again.
      </ConfirmDialog>
      <ErrorDialog
        error={
          open === 'error'
            ? {
                message: 'The repository could not be disabled.',
                cause: 'The code host did not answer.',
                requestId: 'req-1f',
              }
            : undefined
        }
        onClose={close}
        onReload={close}
      />
    </>
  );
}
