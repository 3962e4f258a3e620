import { Button } from '@mantine/core';
import { Dialog } from '#ui/Dialog.tsx';
import s from './ErrorDialog.module.css';

export interface ShownError {
  message: string;
  cause?: string | undefined;
  /** The reference for finding the error in the log. */
  requestId?: string | undefined;
}

interface ErrorDialogProps {
  /** undefined: closed. */
  error: ShownError | undefined;
  onClose: () => void;
  onReload: () => void;
}

/** Spec 2.3: any failed request that no page handles. */
export function ErrorDialog({ error, onClose, onReload }: ErrorDialogProps) {
  return (
    <Dialog
      title="Error"
      opened={error !== undefined}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button onClick={onReload}>Reload Page</Button>
        </>
      }
    >
      <p>Something went wrong. The error was logged and someone will fix it.</p>
      {error && (
        <dl className={s.details}>
          <dt>Message</dt>
          <dd>{error.message}</dd>
          {error.cause && (
            <>
              <dt>Cause</dt>
              <dd>{error.cause}</dd>
            </>
          )}
          {error.requestId && (
            <>
              <dt>Request</dt>
              <dd className="mono">{error.requestId}</dd>
            </>
          )}
        </dl>
      )}
    </Dialog>
  );
}
