import { type CheckmarxSettings, getCheckmarx, type Integration } from '@sightline/contract/sources/integrations.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { useMayManageIntegrations } from '#lib/rights.ts';
import { Progress } from '#ui/Progress.tsx';
import s from '../Integrations.module.css';
import { isSyncing, syncProgressText } from './sync.ts';

/** The import progress on the card. Only owners may read it. */
export function CheckmarxProgress({ status }: Pick<Integration, 'status'>) {
  const manages = useMayManageIntegrations();
  const { data } = useQuery({
    ...endpointQuery(getCheckmarx, {}),
    enabled: manages && status !== 'inactive',
    meta: { quiet: true },
  });
  return data && isSyncing(data.sync) ? <SyncProgress sync={data.sync} /> : null;
}

/** A progress bar with a label during an import. */
export const SyncProgress = ({ sync }: { sync: CheckmarxSettings['sync'] }) => (
  <div className={s.progress}>
    <Progress
      label="Importing from Checkmarx One"
      done={sync.projects.done}
      total={sync.projects.total ?? 0}
      words={syncProgressText(sync)}
    />
  </div>
);
