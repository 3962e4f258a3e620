import { CloseButton } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import s from './Banner.module.css';

interface BannerProps {
  tone: 'info' | 'warning' | 'error';
  children: ReactNode;
  /** Shown by 'See details'. */
  details?: string | undefined;
  onClose?: (() => void) | undefined;
}

/** A message in the page, next to its subject; screen readers announce an error immediately. */
export function Banner({ tone, children, details, onClose }: BannerProps) {
  const [open, setOpen] = useState(false);
  const Icon = tone === 'info' ? IconInfoCircle : IconAlertTriangle;
  return (
    <div className={s.banner} data-tone={tone} role={tone === 'error' ? 'alert' : 'status'}>
      <Icon size={16} stroke={1.8} aria-hidden />
      <div className={s.text}>
        {children}
        {details && (
          <>
            {' '}
            <button type="button" className={s.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? 'Hide details' : 'See details'}
            </button>
            {open && <p className={s.details}>{details}</p>}
          </>
        )}
      </div>
      {onClose && <CloseButton size="sm" aria-label="Dismiss" onClick={onClose} />}
    </div>
  );
}
