import type { RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import { listScans } from '@sightline/contract/vulnerabilities/scans.ts';
import { IconScan } from '@tabler/icons-react';
import { usePagedList } from '#lib/paged-list.ts';
import { isOwner, useSession } from '#lib/session.ts';
import { Empty } from '#ui/Empty.tsx';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { BuildPanel } from './BuildPanel.tsx';
import { GithubAlerts } from './GithubAlerts.tsx';
import s from './Scans.module.css';
import { scanColumnsOf } from './scanColumns.tsx';
import { UploadPanel } from './UploadPanel.tsx';

/** Shows upload options of a repository, and the changes of each scan. Renders nothing until its ID is known. */
export const ScansPage = ({ repository }: { repository: RepositoryDetail | undefined }) =>
  repository && <Scans key={repository.id} repository={repository} />;

function Scans({ repository }: { repository: RepositoryDetail }) {
  const { provider, fullName: repoPath } = repository;
  const owner = isOwner(useSession());
  const list = usePagedList(listScans, { input: (query) => ({ params: { provider, repoPath }, query }) });
  return (
    <>
      <div className={s.ways} data-alone={!owner || undefined}>
        {owner && <UploadPanel repository={repository} />}
        <BuildPanel repository={repository} />
      </div>
      <GithubAlerts repository={repository} />
      <ListTable
        views="scans"
        list={list}
        label="Scans"
        noun="scans"
        tall
        columns={scanColumnsOf(repository)}
        rowKey={({ id }) => id}
        empty={
          <Empty kind="nothing-yet" title="No scans" icon={<IconScan size={19} stroke={1.6} />}>
            {owner
              ? 'Drop a SARIF file above, or upload one from your build after each run.'
              : 'Scans appear here after a scanner is connected or a build uploads results.'}
          </Empty>
        }
        noMatch="No scan matches"
      />
    </>
  );
}
