import { getCheckmarx, listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { useMayManageIntegrations } from '#lib/rights.ts';
import { Failure } from '#ui/Failure.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { toast } from '#ui/toast.ts';
import { checkmarxPath } from '../categories.ts';
import { SetupDrawer } from '../SetupDrawer.tsx';
import { useSetupOpen } from '../setupAddress.ts';
import { ScannerForm } from './ScannerForm.tsx';

/** The setup form of the scanner in a drawer. */
export function CheckmarxSetup() {
  const manages = useMayManageIntegrations();
  const [isRequested, setOpen] = useSetupOpen('checkmarx');
  const [dirty, setDirty] = useState(false);
  const navigate = useNavigate();
  const opened = isRequested && manages;
  const settings = useQuery({ ...endpointQuery(getCheckmarx, {}), enabled: opened, meta: { quiet: true } });
  const card = useQuery({ ...endpointQuery(listIntegrations, {}), enabled: opened, meta: { quiet: true } }).data?.find(
    ({ name }) => name === 'checkmarx',
  );
  // Inactive means never connected or disconnected, so there are no settings to load.
  const present = card?.status === 'inactive' ? null : settings.data;
  const close = () => {
    setDirty(false);
    setOpen(false);
  };
  const onConnected = () => {
    setDirty(false);
    toast.success('Checkmarx One is connected.');
    navigate(checkmarxPath);
  };
  return (
    <SetupDrawer
      mark="checkmarx"
      title={present ? 'Change the key of Checkmarx One' : 'Set up Checkmarx One'}
      opened={opened}
      onClose={close}
      dirty={dirty}
    >
      {present !== undefined && card ? (
        <ScannerForm
          settings={present}
          defaultURL={card.defaultURL ?? ''}
          links={card.links.filter(({ href }) => !href.startsWith('/'))}
          onDirty={setDirty}
          onCancel={close}
          onConnected={onConnected}
        />
      ) : (
        settings.error && (
          <Failure
            title="The connection could not be loaded"
            error={settings.error}
            onRetry={() => void settings.refetch()}
          />
        )
      )}
    </SetupDrawer>
  );
}
