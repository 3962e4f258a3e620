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
  /** Closes without submitting. */
  leave?: string;
  danger?: boolean;
  /** Whether the form is complete. */
  ready: boolean;
  pending: boolean;
  /** Why the last attempt failed; undefined if it did not. */
  problem: string | undefined;
  /** Expandable details of the problem. */
  details?: string | undefined;
  onClose: () => void;
  onSubmit: () => void;
  /** Pixels. */
  width?: number;
  children: ReactNode;
}

/** A dialog with a form: Enter submits, errors are shown in it, and the input is preserved. */
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
        ref={markFirstField}
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

/** The focus starts on the first field, unless the form names another one; otherwise it would start on *Close*. */
function markFirstField(form: HTMLFormElement | null): void {
  if (form === null || form.querySelector('[data-autofocus]')) return;
  const [first, ...others] = form.querySelectorAll<HTMLInputElement>(
    ':is(input:not([type="hidden"]), select, textarea):not(:disabled)',
  );
  // Of radio buttons, Tab reaches the checked one.
  const checked = others.find(({ name, type, checked: is }) => type === 'radio' && name === first?.name && is);
  (checked ?? first)?.setAttribute('data-autofocus', '');
}
