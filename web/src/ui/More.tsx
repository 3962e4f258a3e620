import { Popover, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import s from './More.module.css';

interface MoreProps {
  count: number;
  /** The kind of the remaining items: 'People'. */
  title: string;
  /** `li` elements, one each. */
  children: ReactNode;
}

/** '+N': the remaining items, in a list that is reachable by keyboard. Renders nothing without items. */
export function More({ count, title, children }: MoreProps) {
  if (count <= 0) return null;
  return (
    <Popover position="bottom-end" width={248} trapFocus returnFocus withinPortal>
      <Popover.Target>
        <UnstyledButton className={s.more ?? ''} aria-label={`${count} more: ${title}`}>
          +{count}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={title}>
        <p className={s.title} aria-hidden>
          {title}
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by key */}
        <ul className={s.list} tabIndex={0} data-autofocus aria-label={title}>
          {children}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}
