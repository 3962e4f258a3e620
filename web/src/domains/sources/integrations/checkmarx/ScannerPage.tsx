import { Button } from '@mantine/core';
import { getCheckmarx, listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
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
import { checkmarxOwnersOnlyText } from './CheckmarxAction.tsx';
import { CheckmarxSetup } from './CheckmarxSetup.tsx';
import { ScannerActions } from './ScannerActions.tsx';
import { ScannerFacts } from './ScannerFacts.tsx';
import { ScannerProjects } from './ScannerProjects.tsx';

const back = { label: 'Integrations', href: categoryPath('security-scanners') };

/** Checkmarx One for owners: connection, imports, and the repository of each project. */
export function ScannerPage() {
  const manages = useMayManageIntegrations();
  const scanner = useQuery({ ...endpointQuery(getCheckmarx, {}), enabled: manages, meta: { quiet: true } });
  const card = useQuery({ ...endpointQuery(listIntegrations, {}), meta: { quiet: true } }).data?.find(
    ({ name }) => name === 'checkmarx',
  );
  const settings = scanner.data;
  return (
    <>
      <PageHeader
        title="Checkmarx One"
        help={{ href: docsHref('integrations-checkmarx'), about: 'Checkmarx One' }}
        back={back}
        before={<IntegrationLogo name="checkmarx" />}
        after={card && <IntegrationStatus status={card.status} detail={null} />}
        actions={settings && <ScannerActions sync={settings.sync} />}
      />
      {card?.problem && <Banner tone="error">{card.problem.message}</Banner>}
      {settings ? (
        <>
          <ScannerFacts settings={settings} missing={card?.missing ?? []} />
          <ScannerProjects />
        </>
      ) : (
        <Panel>
          {!manages ? (
            <NotAllowed />
          ) : scanner.error ? (
            <Failure
              title="The connection could not be loaded"
              error={scanner.error}
              onRetry={() => void scanner.refetch()}
            />
          ) : settings === null ? (
            <NotConnected before={card?.lastSyncAt != null} />
          ) : (
            <Waiting />
          )}
        </Panel>
      )}
      <CheckmarxSetup />
    </>
  );
}

const NotAllowed = () => (
  <Empty kind="not-allowed" title="Only Account Owners configure scanners">
    {useManageIntegrationsRefusal(checkmarxOwnersOnlyText)}.
  </Empty>
);

/** `before`: whether it was connected earlier. */
function NotConnected({ before }: { before: boolean }) {
  const [, setOpen] = useSetupOpen('checkmarx');
  return (
    <Empty
      kind="nothing-yet"
      title="Checkmarx One is not connected"
      icon={<IconPlugConnectedX size={19} stroke={1.6} />}
      action={<Button onClick={() => setOpen(true)}>Setup with an API key</Button>}
    >
      Enter your tenant name and an API key to import Checkmarx One findings.
      {before && ' Earlier findings are kept.'}
    </Empty>
  );
}

const Waiting = () => (
  <p className="dim" role="status" aria-busy>
    Loading
  </p>
);
