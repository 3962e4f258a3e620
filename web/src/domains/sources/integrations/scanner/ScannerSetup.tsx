import { scannerName } from '@sightline/contract/core/scan-sources.ts';
import { getScanner, type Integration, listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { useMayManageIntegrations } from '#lib/rights.ts';
import { Failure } from '#ui/Failure.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { toast } from '#ui/toast.ts';
import { scannerPath } from '../categories.ts';
import { SetupDrawer } from '../SetupDrawer.tsx';
import { useSetupOpen } from '../setupAddress.ts';
import { ScannerForm } from './ScannerForm.tsx';

/** The setup form of the scanner in a drawer. */
export function ScannerSetup({ name }: Pick<Integration, 'name'>) {
  const scanner = scannerName.parse(name);
  const { title, apiKey } = scannerForms[scanner];
  const manages = useMayManageIntegrations();
  const [isRequested, setOpen] = useSetupOpen(scanner);
  const [dirty, setDirty] = useState(false);
  const navigate = useNavigate();
  const opened = isRequested && manages;
  const settings = useQuery({
    ...endpointQuery(getScanner, { params: { scanner } }),
    enabled: opened,
    meta: { quiet: true },
  });
  const card = useQuery({ ...endpointQuery(listIntegrations, {}), enabled: opened, meta: { quiet: true } }).data?.find(
    (one) => one.name === name,
  );
  // Inactive means never connected or disconnected, so there are no settings to load.
  const present = card?.status === 'inactive' ? null : settings.data;
  const close = () => {
    setDirty(false);
    setOpen(false);
  };
  const onConnected = () => {
    setDirty(false);
    toast.success(`${title} is connected.`);
    navigate(scannerPath(scanner));
  };
  return (
    <SetupDrawer
      mark={scanner}
      title={present ? `Change the ${apiKey.noun} of ${title}` : `Set up ${title}`}
      opened={opened}
      onClose={close}
      dirty={dirty}
    >
      {present !== undefined && card ? (
        <ScannerForm
          scanner={scanner}
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
