import { type ScannerName, scannerName } from '@sightline/contract/core/scan-sources.ts';
import { getScanner, type Integration, type ScannerSettings } from '@sightline/contract/sources/integrations.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { useMayManageIntegrations } from '#lib/rights.ts';
import { Progress } from '#ui/Progress.tsx';
import s from '../Integrations.module.css';
import { isSyncing, syncProgressText } from './sync.ts';

/** The import progress on the card. Only owners may read it. */
export function ScannerProgress({ name, status }: Pick<Integration, 'name' | 'status'>) {
  const scanner = scannerName.parse(name);
  const manages = useMayManageIntegrations();
  const { data } = useQuery({
    ...endpointQuery(getScanner, { params: { scanner } }),
    enabled: manages && status !== 'inactive',
    meta: { quiet: true },
  });
  return data && isSyncing(data.sync) ? <SyncProgress scanner={scanner} sync={data.sync} /> : null;
}

/** A progress bar with a label during an import. */
export const SyncProgress = ({ scanner, sync }: { scanner: ScannerName; sync: ScannerSettings['sync'] }) => (
  <div className={s.progress}>
    <Progress
      label={`Importing from ${scannerForms[scanner].title}`}
      done={sync.projects.done}
      total={sync.projects.total ?? 0}
      words={syncProgressText(sync)}
    />
  </div>
);
