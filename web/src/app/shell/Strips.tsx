import { IconCloudOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import s from './Strips.module.css';

/** Says that this is not production, and holds the buttons that exist only there. */
export const EnvironmentStrip = ({ label, children }: { label: string; children?: ReactNode }) => (
  <aside className={s.environment} aria-label="Environment">
    <b>{label}</b>
    {children}
  </aside>
);

/** Shown while the server cannot be reached; always mounted, so that its appearance is read out. */
export const ConnectionStrip = ({ lost, children }: { lost: boolean; children?: ReactNode }) => (
  <div role="status">
    {lost && (
      <p className={s.connection}>
        <IconCloudOff size={15} aria-hidden />
        {children ?? 'Connection lost. What you see may be out of date; trying again.'}
      </p>
    )}
  </div>
);
