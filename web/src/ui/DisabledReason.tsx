import { Tooltip } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import s from './DisabledReason.module.css';

interface DisabledReasonProps {
  /** Why the control inside is disabled; undefined: it is enabled. */
  reason: string | undefined;
  children: ReactNode;
}

/**
 * Wraps a disabled control: takes the focus in its place, so that the reason is reachable by keyboard and announced.
 */
export function DisabledReason({ reason, children }: DisabledReasonProps) {
  const id = useId();
  if (reason === undefined) return children;
  return (
    <Tooltip label={reason} events={{ hover: true, focus: true, touch: true }} multiline maw={280}>
      {/* biome-ignore lint/a11y: a focusable span replaces the disabled control; a fieldset would be a block */}
      <span className={s.frame} role="group" aria-describedby={id} tabIndex={0}>
        {children}
        <span id={id} className="vh">
          {reason}
        </span>
      </span>
    </Tooltip>
  );
}
