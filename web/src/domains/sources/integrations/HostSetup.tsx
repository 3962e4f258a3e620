import { providerNames } from '@sightline/contract/core/providers.ts';
import { type Connectable, getHostConnection } from '@sightline/contract/sources/host-connections.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '#lib/api.ts';
import { useManages } from '#lib/rights.ts';
import { Failure } from '#ui/Failure.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { HostForm } from './HostForm.tsx';
import { HostPlaces } from './HostPlaces.tsx';
import { SetupDrawer } from './SetupDrawer.tsx';
import { useOnward, useSetupOpen } from './setupAddress.ts';

/** Connects a code host without an app, then selects what to import, in a drawer. */
export function HostSetup({ host }: { host: Connectable }) {
  const manages = useManages();
  const [isRequested, setOpen] = useSetupOpen(host);
  const onward = useOnward();
  const navigate = useNavigate();
  const [dirty, setDirty] = useState(false);
  const [changing, setChanging] = useState(false);
  const opened = isRequested && manages;
  const state = useQuery({
    ...ask(getHostConnection, { params: { provider: host } }),
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
        <HostPlaces host={host} connection={connection} onChange={() => setChanging(true)} onClose={close} />
      )}
    </SetupDrawer>
  );
}
