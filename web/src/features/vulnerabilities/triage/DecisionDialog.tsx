import { Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { reasonOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import s from './Triage.module.css';

interface Props {
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

/** A dialog that is a form: Enter decides, a refusal is told in it, and what was typed stays. */
export function DecisionDialog(props: Props) {
  const { title, confirm, incomplete = false, pending, error, onClose, onConfirm, width = 480, children } = props;
  const form = useId();
  return (
    <Dialog
      title={title}
      opened
      onClose={onClose}
      width={width}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={form} loading={pending} disabled={incomplete}>
            {confirm}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={s.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!incomplete && !pending) onConfirm();
        }}
      >
        {children}
        {error != null && (
          <Banner tone="error">{reasonOf(error, 'It could not be saved. What you typed is still here.')}</Banner>
        )}
      </form>
    </Dialog>
  );
}
