import { Button } from '@mantine/core';
import type { ApiError } from '@sightline/contract/core/client.ts';
import { type Directory, getDirectory, getGroupRoles } from '@sightline/contract/organization/directory.ts';
import { listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { IconUsersGroup } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { useManageIntegrationsRefusal, useMayManageIntegrations } from '#lib/rights.ts';
import { Banner } from '#ui/Banner.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { categoryPath } from '../categories.ts';
import { IntegrationLogo } from '../IntegrationLogo.tsx';
import { IntegrationStatus } from '../IntegrationStatus.tsx';
import { useSetupOpen } from '../setupAddress.ts';
import s from './Directory.module.css';
import { directoryOwnersOnlyText } from './DirectoryAction.tsx';
import { DirectoryActions } from './DirectoryActions.tsx';
import { DirectoryFacts } from './DirectoryFacts.tsx';
import { DirectorySetup } from './DirectorySetup.tsx';
import { DirectoryUsers } from './DirectoryUsers.tsx';
import { DirectoryRoles, ReportedGroupRoles } from './GroupRoles.tsx';

const back = { label: 'Integrations', href: categoryPath('directories') };

/** The directory for owners: connection, roles of groups, and the access of each user. */
export function DirectoryPage() {
  const manages = useMayManageIntegrations();
  const found = useQuery({ ...endpointQuery(getDirectory, {}), enabled: manages, meta: { quiet: true } });
  const card = useQuery({ ...endpointQuery(listIntegrations, {}), meta: { quiet: true } }).data?.find(
    ({ name }) => name === 'directory',
  );
  const directory = found.data;
  return (
    <>
      <PageHeader
        title="Directory"
        help={{ href: docsHref('directory'), about: 'the directory' }}
        back={back}
        before={<IntegrationLogo name="directory" />}
        after={card && <IntegrationStatus status={card.status} detail={null} />}
        actions={directory && <DirectoryActions />}
      />
      {directory?.failure && <Banner tone="error">The last rejected request: {directory.failure.message}</Banner>}
      {directory ? <Connected directory={directory} missing={card?.missing ?? []} /> : <Absent found={found} />}
      {directory === null && <ReportedGroups />}
      <DirectorySetup />
    </>
  );
}

const Connected = ({ directory, missing }: { directory: Directory; missing: readonly string[] }) => (
  <>
    <div className={s.panels}>
      <DirectoryFacts directory={directory} missing={missing} />
      <DirectoryRoles key={JSON.stringify([directory.defaultRole, directory.groupRoles])} directory={directory} />
    </div>
    <DirectoryUsers />
  </>
);

/** The roles of groups of the identity provider, if it reports groups. */
function ReportedGroups() {
  const { data } = useQuery({ ...endpointQuery(getGroupRoles, {}), meta: { quiet: true } });
  if (!data || data.reportedBy === null) return null;
  return (
    <div className={s.reported}>
      <ReportedGroupRoles key={JSON.stringify(data.roles)} groupRoles={data} />
    </div>
  );
}

function Absent({ found }: { found: Pick<UseQueryResult<Directory | null, ApiError>, 'data' | 'error' | 'refetch'> }) {
  const manages = useMayManageIntegrations();
  const refusal = useManageIntegrationsRefusal(directoryOwnersOnlyText);
  const [, setOpen] = useSetupOpen('directory');
  const content = () => {
    if (!manages)
      return (
        <Empty kind="not-allowed" title="Only Account Owners configure the directory">
          {refusal}.
        </Empty>
      );
    if (found.error)
      return (
        <Failure title="The directory could not be loaded" error={found.error} onRetry={() => void found.refetch()} />
      );
    if (found.data === null)
      return (
        <Empty
          kind="nothing-yet"
          title="No directory is connected"
          icon={<IconUsersGroup size={19} stroke={1.6} />}
          action={<Button onClick={() => setOpen(true)}>Connect</Button>}
        >
          A directory gives and ends memberships by itself: who leaves it, loses access here at once.
        </Empty>
      );
    return (
      <p className="dim" role="status" aria-busy>
        Loading
      </p>
    );
  };
  return <Panel>{content()}</Panel>;
}
