import { Drawer } from '@mantine/core';
import { type Connectable, getHostConnection } from '@sightline/contract/host-connections.ts';
import { providerNames } from '@sightline/contract/repositories.ts';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '#lib/api.ts';
import { useManages } from '#lib/rights.ts';
import { Failure } from '#ui/Failure.tsx';
import { HostForm } from './HostForm.tsx';
import { HostPlaces } from './HostPlaces.tsx';
import { Mark } from './Mark.tsx';
import s from './Setup.module.css';
import { useSetupOpen } from './setupAddress.ts';

/** Connecting a code host without an app, then picking what of it is read, in a drawer beside what it was opened from. */
export function HostSetup({ host }: { host: Connectable }) {
  const manages = useManages();
  const [asked, setOpen] = useSetupOpen(host);
  const [dirty, setDirty] = useState(false);
  const [changing, setChanging] = useState(false);
  const opened = asked && manages;
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
    setOpen(false);
  };
  return (
    <Drawer.Root
      opened={opened}
      onClose={close}
      position="right"
      size={440}
      transitionProps={{ duration: 120 }}
      // A click beside it must not throw a pasted token away.
      closeOnClickOutside={!dirty}
      classNames={{ content: s.content ?? '', body: s.frame ?? '' }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <div className={s.head}>
          <Mark name={host} />
          <Drawer.Title className={s.title ?? ''}>
            {!connection ? `Connect ${name}` : changing ? `Connect ${name} again` : name}
          </Drawer.Title>
          <Drawer.CloseButton aria-label="Close" icon={<IconX size={16} aria-hidden />} />
        </div>
        <Drawer.Body>
          {state.error && (
            <Failure
              title="The connection could not be loaded"
              error={state.error}
              onRetry={() => void state.refetch()}
            />
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
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
