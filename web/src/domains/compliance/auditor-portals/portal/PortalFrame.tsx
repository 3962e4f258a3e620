import type { PortalVisit } from '@sightline/contract/compliance/auditor-portals.ts';
import { Outlet } from '@tanstack/react-router';
import { Announcer } from '#ui/Announcer.tsx';
import { Banner } from '#ui/Banner.tsx';
import { Link } from '#ui/Link.tsx';
import { Mark } from '#ui/Logo.tsx';
import type { LedgerState } from '#ui/ledger-status.ts';
import { Paper } from '#ui/Paper.tsx';
import { SkipLink } from '#ui/SkipLink.tsx';
import { ClosedPortal } from './ClosedPortal.tsx';
import { PortalExpiryCountdown } from './Closing.tsx';
import s from './Portal.module.css';
import { PortalFocus } from './PortalFocus.tsx';
import { portalPageHref, usePortal, usePortalId, usePortalStatus } from './usePortal.ts';
import { Watermark } from './Watermark.tsx';

/** The frame of every portal page: organization, expiry and recipient. Auditors can only submit evidence requests. */
export function PortalFrame() {
  const { state, expiresAt } = usePortalStatus();
  if (state === 'shut') return <ClosedPortal />;
  if (state === 'open' && expiresAt !== undefined) return <Open expiresAt={expiresAt} />;
  return (
    <PortalFocus>
      {state === 'asking' ? (
        <p className="dim" role="status" aria-busy>
          Loading
        </p>
      ) : (
        <Banner tone="error">The server could not be reached. Sightline tries again every few seconds.</Banner>
      )}
    </PortalFocus>
  );
}

/** Returns the anchoring at the newest snapshot of the portal. Later ledger state is out of its scope. */
const vouchedOf = ({ anchoring: { size, signedAt, anchors } }: PortalVisit): LedgerState => ({
  checkpoint: { size, signedAt, note: '' },
  anchors,
  halted: null,
});

function Open({ expiresAt }: { expiresAt: string }) {
  const portalId = usePortalId();
  const portal = usePortal();
  return (
    <div className={s.frame}>
      <meta name="robots" content="noindex, nofollow" />
      <SkipLink />
      <header className={s.head}>
        <Link className={s.home} href={portalPageHref(portalId)}>
          <Mark size={20} />
          <span className={s.whose}>
            <b className="truncate">{portal?.organization ?? 'Auditor portal'}</b>
            {portal && <span className="truncate">{portal.name}</span>}
          </span>
        </Link>
        <PortalExpiryCountdown at={expiresAt} />
      </header>
      <main id="main" tabIndex={-1} className={s.main}>
        <Paper organization={portal?.organization} vouched={portal ? vouchedOf(portal) : 'unknown'}>
          <Outlet />
        </Paper>
      </main>
      {portal && <Watermark words={`${portal.auditor} · ${portal.name}`} />}
      <Announcer />
    </div>
  );
}
