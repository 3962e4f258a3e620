import type { CheckmarxSettings } from '@sightline/contract/sources/integrations.ts';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { SyncProgress } from './CheckmarxProgress.tsx';
import { Missing } from './Missing.tsx';
import s from './Scanner.module.css';
import { isSyncing, resultWords } from './sync.ts';

interface ScannerFactsProps {
  settings: CheckmarxSettings;
  /** What is still missing, each as a sentence. */
  missing: readonly string[];
}

/** How it is connected, beside what was read last or is being read now. */
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
          See vulnerabilities
        </Link>
      }
    >
      <div className={s.sync} aria-live="polite">
        <SyncState sync={settings.sync} />
        <Missing sentences={missing} />
      </div>
    </Panel>
  </div>
);

const Registered = () => (
  <StatusDot tone="green">
    <span className={s.wrap}>Arrive as soon as they end</span>
  </StatusDot>
);

const NotRegistered = () => (
  <>
    <StatusDot tone="yellow">Read every hour</StatusDot>
    <p className={s.hook}>
      Checkmarx One did not let the key add a webhook. Once the owner of the key may manage webhooks, the next sync adds
      it, and scans arrive as soon as they end.
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
        <p className="dim">It is tried again by itself, or with Sync now.</p>
      </>
    );
  }
  if (sync.finishedAt === null) return <p className="dim">Nothing has been read yet.</p>;
  return (
    <>
      <StatusDot tone="green">
        <span className={s.wrap}>
          Last sync <TimeAgo at={sync.finishedAt} />
        </span>
      </StatusDot>
      <p className="dim">{resultWords(sync)}</p>
    </>
  );
}
