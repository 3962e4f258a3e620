import { IconCloudOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { hasOutbox } from '#lib/site.ts';
import { Link } from '#ui/Link.tsx';
import s from './Strips.module.css';

/** Marks a non-production environment, with links that exist only there (spec 2.3). */
export const EnvironmentStrip = ({ label }: { label: string }) => (
  <aside className={s.environment} aria-label="Environment">
    <b>{label}</b>
    {hasOutbox() && <a href="/outbox">Local outbox</a>}
    <Link href="/testing">Try a token</Link>
  </aside>
);

/** Shown while the server is unreachable. Always mounted, so that screen readers announce its appearance. */
export const ConnectionStrip = ({ lost, children }: { lost: boolean; children?: ReactNode }) => (
  <div role="status">
    {lost && (
      <p className={s.connection}>
        <IconCloudOff size={15} aria-hidden />
        {children ?? 'Connection lost. Data may be out of date. Reconnecting.'}
      </p>
    )}
  </div>
);
