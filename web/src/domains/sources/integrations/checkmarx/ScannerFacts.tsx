import type { CheckmarxSettings } from '@sightline/contract/sources/integrations.ts';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { MissingRequirements } from '../MissingRequirements.tsx';
import { SyncProgress } from './CheckmarxProgress.tsx';
import s from './Scanner.module.css';
import { isSyncing, syncResultText } from './sync.ts';

interface ScannerFactsProps {
  settings: CheckmarxSettings;
  /** The missing requirements, one sentence each. */
  missing: readonly string[];
}

/** Shows the connection settings beside the last or current import. */
export const ScannerFacts = ({ settings, missing }: ScannerFactsProps) => (
  <div className={s.panels}>
    <Panel title="Connection">
      <dl className={s.facts}>
        <div>
          <dt>Tenant</dt>
          <dd>{settings.tenant}</dd>
        </div>
        <div>
          <dt>API host</dt>
          <dd className="mono">{settings.baseURL}</dd>
        </div>
        <div>
          <dt>API key</dt>
          <dd>
            Ends in <span className="mono">{settings.keyEnd}</span>
          </dd>
        </div>
        <div>
          <dt>New scans</dt>
          <dd>{settings.webhook === 'registered' ? <Registered /> : <NotRegistered />}</dd>
        </div>
      </dl>
    </Panel>
    <Panel
      title="Sync"
      aside={
        <Link className="link" href="/vulnerabilities?dataSource=checkmarx">
          View vulnerabilities
        </Link>
      }
    >
      <div className={s.sync} aria-live="polite">
        <SyncState sync={settings.sync} />
        <MissingRequirements sentences={missing} />
      </div>
    </Panel>
  </div>
);

const Registered = () => (
  <StatusDot tone="green">
    <span className={s.wrap}>By webhook, immediately</span>
  </StatusDot>
);

const NotRegistered = () => (
  <>
    <StatusDot tone="yellow">Polled hourly</StatusDot>
    <p className={s.hook}>
      The key has no permission to create a webhook. Grant the owner of the key permission to manage webhooks. The next
      sync then creates it, and scans arrive immediately.
    </p>
  </>
);

function SyncState({ sync }: Pick<CheckmarxSettings, 'sync'>) {
  if (isSyncing(sync)) return <SyncProgress sync={sync} />;
  if (sync.state === 'failed') {
    return (
      <>
        <StatusDot tone="red">
          <span className={s.wrap}>
            The last sync failed
            {sync.finishedAt && (
              <>
                {' '}
                <TimeAgo at={sync.finishedAt} />
              </>
            )}
          </span>
        </StatusDot>
        {sync.error && <p>{sync.error}</p>}
        <p className="dim">Sightline tries again. You can also use Sync now.</p>
      </>
    );
  }
  if (sync.finishedAt === null) return <p className="dim">Not synced yet.</p>;
  return (
    <>
      <StatusDot tone="green">
        <span className={s.wrap}>
          Last sync <TimeAgo at={sync.finishedAt} />
        </span>
      </StatusDot>
      <p className="dim">{syncResultText(sync)}</p>
    </>
  );
}
