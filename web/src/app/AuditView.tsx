import { getLedger } from '@sightline/contract/ledger/ledger.ts';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { organizations } from '#lib/account.ts';
import { endpointQuery } from '#lib/api.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Link } from '#ui/Link.tsx';
import { Paper } from '#ui/Paper.tsx';

/** The frame of every page that auditors rely on and print. It ensures that each page states its ledger integrity. */
export function AuditView() {
  const session = useSession();
  const isAllowed = hasPermission(session, 'read:audit-log');
  const isLedger = useLocation({ select: ({ pathname }) => pathname === '/ledger' });
  const { data } = useQuery({ ...endpointQuery(getLedger, {}), enabled: isAllowed, meta: { quiet: true } });
  const organization = useQuery(organizations()).data?.find(({ id }) => id === session?.organization);
  return (
    <Paper
      organization={organization?.displayName}
      vouched={isAllowed ? (data ?? 'unknown') : 'hidden'}
      more={
        isAllowed &&
        !isLedger && (
          <Link className="link" href="/ledger" data-screen>
            View ledger
          </Link>
        )
      }
    >
      <Outlet />
    </Paper>
  );
}
