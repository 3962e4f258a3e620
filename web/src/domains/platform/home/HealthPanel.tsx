import { getLedger } from '@sightline/contract/ledger/ledger.ts';
import { listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { useFlag } from '#lib/flags.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { useNow } from '#ui/Clock.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './HomePanels.module.css';
import { integrationHealth, ledgerHealth, type SourceHealth } from './health.ts';
import { TileFailure } from './TileFailure.tsx';

/** Lists the data sources of the organization with their state. */
export function HealthPanel() {
  const readsLedger = hasPermission(useSession(), getLedger.permission);
  const showsScanners = useFlag('vulnerabilities');
  const quiet = { staleTime: 60_000, meta: { quiet: true } };
  const integrations = useQuery({ ...endpointQuery(listIntegrations, {}), ...quiet });
  const ledger = useQuery({ ...endpointQuery(getLedger, {}), ...quiet, enabled: readsLedger });
  const now = useNow();
  const sources: SourceHealth[] = [
    ...integrationHealth(integrations.data ?? []).filter(
      ({ href }) => showsScanners || href !== '/integrations/security-scanners',
    ),
    ...(ledger.data ? ledgerHealth(ledger.data, now) : []),
  ];
  const failed = [integrations, ledger].filter(({ isError, data }) => isError && data === undefined);
  if (sources.length === 0 && failed.length === 0) return null;
  return (
    <Panel flush title="Data sources">
      <ul className={s.rows}>
        {sources.map(({ name, tone, text, at, href }) => (
          <li key={name}>
            <Link className={s.row} href={href}>
              <StatusDot tone={tone}>{name}</StatusDot>
              <span className={s.state}>
                {text}
                {at !== null && (
                  <>
                    {' '}
                    <TimeAgo at={at} />
                  </>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {failed.length > 0 && <TileFailure onRetry={() => failed.forEach(({ refetch }) => void refetch())} />}
    </Panel>
  );
}
