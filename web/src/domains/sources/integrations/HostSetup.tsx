import { providerNames } from '@sightline/contract/core/providers.ts';
import { type ConnectableHost, getHostConnection } from '@sightline/contract/sources/host-connections.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { useMayManageIntegrations } from '#lib/rights.ts';
import { Failure } from '#ui/Failure.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { HostForm } from './HostForm.tsx';
import { HostScopes } from './HostPlaces.tsx';
import { SetupDrawer } from './SetupDrawer.tsx';
import { useReturnPath, useSetupOpen } from './setupAddress.ts';

/** Connects a code host without an app, then selects what to import, in a drawer. */
export function HostSetup({ host }: { host: ConnectableHost }) {
  const manages = useMayManageIntegrations();
  const [isRequested, setOpen] = useSetupOpen(host);
  const onward = useReturnPath();
  const navigate = useNavigate();
  const [dirty, setDirty] = useState(false);
  const [changing, setChanging] = useState(false);
  const opened = isRequested && manages;
  const state = useQuery({
    ...endpointQuery(getHostConnection, { params: { provider: host } }),
    enabled: opened,
    meta: { quiet: true },
  });
  const name = providerNames[host];
  const connection = state.data?.connection;
  const close = () => {
    setDirty(false);
    setChanging(false);
    if (onward === undefined) setOpen(false);
    else navigate(onward);
  };
  return (
    <SetupDrawer
      mark={host}
      title={!connection ? `Connect ${name}` : changing ? `Connect ${name} again` : name}
      opened={opened}
      onClose={close}
      dirty={dirty}
      formless={!state.data || (connection != null && !changing)}
    >
      {state.error && (
        <Failure title="The connection could not be loaded" error={state.error} onRetry={() => void state.refetch()} />
      )}
      {state.data && (!connection || changing) && (
        <HostForm
          state={state.data}
          onDirty={setDirty}
          onCancel={connection ? () => setChanging(false) : close}
          onConnected={() => {
            setDirty(false);
            setChanging(false);
          }}
        />
      )}
      {connection && !changing && (
        <HostScopes host={host} connection={connection} onChange={() => setChanging(true)} onClose={close} />
      )}
    </SetupDrawer>
  );
}
