import type { Provider } from '@sightline/contract/core/providers.ts';
import s from './ImportPanel.module.css';
import { Panel } from './Panel.tsx';
import { Progress } from './Progress.tsx';
import { ProviderIcon } from './ProviderIcon.tsx';
import { RetryImportButton } from './RetryImportButton.tsx';

interface ImportRow {
  id: string;
  provider: Provider;
  fullName: string;
  /** 'Queued', 'Rate limited until 14:30'. */
  words: string;
  reason: string | null;
  canRetry: boolean;
  done: number;
  /** 0 while unknown. */
  total: number;
}

interface ImportPanelProps {
  rows: readonly ImportRow[];
  onRetry: (row: Pick<ImportRow, 'provider' | 'fullName'>) => void;
  /** The repository that is being retried. */
  retrying: string | undefined;
}

/** The imports that have not succeeded: status, reason and progress. Renders nothing without any. */
export const ImportPanel = ({ rows, onRetry, retrying }: ImportPanelProps) =>
  rows.length === 0 ? null : (
    <Panel flush title="Import progress">
      <ul>
        {rows.map(({ id, provider, fullName, words, reason, canRetry, done, total }) => (
          <li key={id} className={s.row}>
            <div className={s.head}>
              <ProviderIcon provider={provider} size={14} />
              <b className={`truncate ${s.name}`}>{fullName}</b>
              <span className={s.status}>{words}</span>
              {canRetry && (
                <RetryImportButton
                  fullName={fullName}
                  isPending={retrying === fullName}
                  onRetry={() => onRetry({ provider, fullName })}
                />
              )}
            </div>
            {total > 0 && <Progress label={`Importing ${fullName}`} done={done} total={total} words="" />}
            {reason !== null && <p className={s.reason}>{reason}</p>}
          </li>
        ))}
      </ul>
    </Panel>
  );
