import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import type { ScannerSettings } from '@sightline/contract/sources/integrations.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import type { ReactNode } from 'react';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { MissingRequirements } from '../MissingRequirements.tsx';
import s from './Scanner.module.css';
import { SyncProgress } from './ScannerProgress.tsx';
import { isSyncing, syncResultText } from './sync.ts';

interface ScannerFactsProps {
  scanner: ScannerName;
  settings: ScannerSettings;
  /** The missing requirements, one sentence each. */
  missing: readonly string[];
}

/** Shows the connection settings beside the last or current import. */
export const ScannerFacts = ({ scanner, settings, missing }: ScannerFactsProps) => (
  <div className={s.panels}>
    <Panel title="Connection">
      <dl className={s.facts}>
        {settings.tenant !== '' && (
          <div>
            <dt>{accountLabel(scanner)}</dt>
            <dd>{settings.tenant}</dd>
          </div>
        )}
        <div>
          <dt>API host</dt>
          <dd className="mono">{settings.baseURL}</dd>
        </div>
        <div>
          <dt>{scannerForms[scanner].apiKey.label}</dt>
          <dd>
            Ends in <span className="mono">{settings.keyEnd}</span>
          </dd>
        </div>
        <div>
          <dt>New scans</dt>
          <dd>{arrivals[settings.webhook]}</dd>
        </div>
      </dl>
    </Panel>
    <Panel
      title="Sync"
      aside={
        <Link
          className="link"
          href={`/vulnerabilities?dataSource=${encodeURIComponent(scannerForms[scanner].tools.join(','))}`}
        >
          View vulnerabilities
        </Link>
      }
    >
      <div className={s.sync} aria-live="polite">
        <SyncState scanner={scanner} sync={settings.sync} />
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

// How new scans arrive, by the state of the webhook.
const arrivals: Readonly<Record<ScannerSettings['webhook'], ReactNode>> = {
  registered: <Registered />,
  not_registered: <NotRegistered />,
  unsupported: <StatusDot tone="green">Polled hourly</StatusDot>,
};

const accountLabel = (scanner: ScannerName): string =>
  (scannerForms[scanner].tenant?.label ?? 'Account').replace(/ name$/, '');

function SyncState({ scanner, sync }: Pick<ScannerSettings, 'sync'> & { scanner: ScannerName }) {
  if (isSyncing(sync)) return <SyncProgress scanner={scanner} sync={sync} />;
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
