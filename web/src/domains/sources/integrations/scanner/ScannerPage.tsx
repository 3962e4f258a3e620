import { Button } from '@mantine/core';
import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import { getScanner, listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { useManageIntegrationsRefusal, useMayManageIntegrations } from '#lib/rights.ts';
import { Banner } from '#ui/Banner.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { categoryPath } from '../categories.ts';
import { helpHrefOf } from '../helpLinks.ts';
import { IntegrationLogo } from '../IntegrationLogo.tsx';
import { IntegrationStatus } from '../IntegrationStatus.tsx';
import { useSetupOpen } from '../setupAddress.ts';
import { ownersOnlyText, setupText } from './ScannerAction.tsx';
import { ScannerActions } from './ScannerActions.tsx';
import { ScannerFacts } from './ScannerFacts.tsx';
import { ScannerProjects } from './ScannerProjects.tsx';
import { ScannerSetup } from './ScannerSetup.tsx';

const back = { label: 'Integrations', href: categoryPath('security-scanners') };

/** A scanner for owners: connection, imports, and the repository of each project. */
export function ScannerPage({ scanner }: { scanner: ScannerName }) {
  const { title } = scannerForms[scanner];
  const manages = useMayManageIntegrations();
  const connection = useQuery({
    ...endpointQuery(getScanner, { params: { scanner } }),
    enabled: manages,
    meta: { quiet: true },
  });
  const card = useQuery({ ...endpointQuery(listIntegrations, {}), meta: { quiet: true } }).data?.find(
    ({ name }) => name === scanner,
  );
  const settings = connection.data;
  return (
    <>
      <PageHeader
        title={title}
        help={{ href: helpHrefOf(scanner) ?? '', about: title }}
        back={back}
        before={<IntegrationLogo name={scanner} />}
        after={card && <IntegrationStatus status={card.status} detail={null} />}
        actions={settings && <ScannerActions scanner={scanner} sync={settings.sync} />}
      />
      {card?.problem && <Banner tone="error">{card.problem.message}</Banner>}
      {settings ? (
        <>
          <ScannerFacts scanner={scanner} settings={settings} missing={card?.missing ?? []} />
          <ScannerProjects scanner={scanner} />
        </>
      ) : (
        <Panel>
          {!manages ? (
            <NotAllowed scanner={scanner} />
          ) : connection.error ? (
            <Failure
              title="The connection could not be loaded"
              error={connection.error}
              onRetry={() => void connection.refetch()}
            />
          ) : settings === null ? (
            <NotConnected scanner={scanner} before={card?.lastSyncAt != null} />
          ) : (
            <Waiting />
          )}
        </Panel>
      )}
      <ScannerSetup name={scanner} />
    </>
  );
}

const NotAllowed = ({ scanner }: { scanner: ScannerName }) => (
  <Empty kind="not-allowed" title="Only Account Owners configure scanners">
    {useManageIntegrationsRefusal(ownersOnlyText(scanner))}.
  </Empty>
);

/** `before`: whether it was connected earlier. */
function NotConnected({ scanner, before }: { scanner: ScannerName; before: boolean }) {
  const [, setOpen] = useSetupOpen(scanner);
  const { title, tenant, apiKey } = scannerForms[scanner];
  return (
    <Empty
      kind="nothing-yet"
      title={`${title} is not connected`}
      icon={<IconPlugConnectedX size={19} stroke={1.6} />}
      action={<Button onClick={() => setOpen(true)}>{setupText(scanner)}</Button>}
    >
      Enter {tenant?.isRequired ? `your ${tenant.noun} and ` : ''}
      {apiKey.label.startsWith('API') ? `an ${apiKey.label}` : `a ${apiKey.noun}`} to import {title} findings.
      {before && ' Earlier findings are kept.'}
    </Empty>
  );
}

const Waiting = () => (
  <p className="dim" role="status" aria-busy>
    Loading
  </p>
);
