import { Button } from '@mantine/core';
import type { RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import {
  type AlertImport,
  listAlertImports,
  retryAlertImport,
} from '@sightline/contract/vulnerabilities/alert-imports.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, endpointQuery } from '#lib/api.ts';
import { isOwner, useSession } from '#lib/session.ts';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge, type Tone } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { toast } from '#ui/toast.ts';
import s from './Scans.module.css';

/** Shows whether alerts of GitHub's scanners could be read, and what to do otherwise. */
export function GithubAlerts({ repository }: { repository: RepositoryDetail }) {
  const { provider, fullName: repoPath } = repository;
  const params = { provider, repoPath };
  const readings = useQuery({ ...endpointQuery(listAlertImports, { params }), enabled: provider === 'github' });
  if (!readings.data || readings.data.length === 0) return null;
  return (
    <div className={s.alerts}>
      <Panel title="Alerts from GitHub" aside={<ReadAlertsButton repository={repository} />}>
        <ul className={s.readings}>
          {readings.data.map((reading) => (
            <li key={reading.source} className={s.reading}>
              <b>{names[reading.source]}</b>
              <Standing {...reading} />
              <span className={s.meta}>
                <Words {...reading} />
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

function ReadAlertsButton({ repository }: { repository: RepositoryDetail }) {
  const { provider, fullName: repoPath } = repository;
  const owner = isOwner(useSession());
  const read = useMutation({
    mutationFn: () => call(retryAlertImport, { params: { provider, repoPath } }),
    onSuccess: () => toast.success('Import of GitHub alerts started. The list updates automatically.'),
  });
  if (!owner) return null;
  return (
    <Button size="compact-sm" variant="default" loading={read.isPending} onClick={() => read.mutate()}>
      Import now<span className="vh"> the alerts of {repoPath}</span>
    </Button>
  );
}

const names = {
  code_scanning: 'Code scanning',
  dependabot: 'Dependabot',
  secret_scanning: 'Secret scanning',
} as const satisfies Record<AlertImport['source'], string>;

const looks: Record<AlertImport['state'], readonly [Tone, string]> = {
  waiting: ['gray', 'Not imported'],
  read: ['green', 'Imported'],
  off: ['gray', 'Off on GitHub'],
  forbidden: ['orange', 'No permission'],
  failed: ['red', 'Failed'],
};

function Standing({ state }: AlertImport) {
  const [tone, word] = looks[state];
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}

function Words({ state, message, alerts, readAt }: AlertImport) {
  const time = readAt !== null && <TimeAgo at={readAt} />;
  if (state === 'waiting') return 'Alerts are imported after a repository is enabled, and every night.';
  if (state === 'off') return <>Enable it in the settings of the repository on GitHub. Checked {time}.</>;
  if (state === 'forbidden') {
    return (
      <>
        The app does not have this permission. An owner on GitHub can grant it in the settings of the app. Tried {time}.
      </>
    );
  }
  if (state === 'failed') {
    return (
      <>
        {message ?? 'GitHub did not respond as expected.'} Tried {time}. Sightline tries again.
      </>
    );
  }
  return (
    <>
      {alerts.toLocaleString('en')} {alerts === 1 ? 'alert' : 'alerts'}, open and closed, imported {time}
    </>
  );
}
