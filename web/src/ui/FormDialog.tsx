import { Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Banner } from './Banner.tsx';
import { Dialog } from './Dialog.tsx';
import s from './FormDialog.module.css';

interface FormDialogProps {
  title: string;
  opened?: boolean;
  /** The verb: 'Create'. */
  submit: string;
  /** What leaves it without. */
  leave?: string;
  danger?: boolean;
  /** Nothing is missing. */
  ready: boolean;
  pending: boolean;
  /** Why it failed the last time; undefined while it did not. */
  problem: string | undefined;
  /** What else is known of that, to be unfolded. */
  details?: string | undefined;
  onClose: () => void;
  onSubmit: () => void;
  /** Pixels. */
  width?: number;
  children: ReactNode;
}

/** A dialog that is a form: Enter submits, a refusal is told in it, and what was typed stays. */
export function FormDialog(props: FormDialogProps) {
  const { title, opened = true, submit, leave = 'Cancel', danger = false, ready, pending, width, children } = props;
  const { problem, details, onClose, onSubmit } = props;
  const form = useId();
  return (
    <Dialog
      title={title}
      opened={opened}
      onClose={onClose}
      {...(width !== undefined && { width })}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {leave}
          </Button>
          <Button
            type="submit"
            form={form}
            disabled={!ready}
            loading={pending}
            {...(danger && { color: 'red', 'data-danger': true })}
          >
            {submit}
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
          if (ready && !pending) onSubmit();
        }}
      >
        {children}
        {problem !== undefined && (
          <Banner tone="error" details={details}>
            {problem}
          </Banner>
        )}
      </form>
    </Dialog>
  );
}
