import { getTracker, type TrackerName, trackerTitles } from '@sightline/contract/sources/trackers.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { useMayManageIntegrations } from '#lib/rights.ts';
import { Failure } from '#ui/Failure.tsx';
import { toast } from '#ui/toast.ts';
import { SetupDrawer } from './SetupDrawer.tsx';
import { useSetupOpen } from './setupAddress.ts';
import { TrackerForm } from './TrackerForm.tsx';

/** The form of an issue tracker in a drawer. */
export function TrackerSetup({ tracker }: { tracker: TrackerName }) {
  const manages = useMayManageIntegrations();
  const [isRequested, setOpen] = useSetupOpen(tracker);
  const [dirty, setDirty] = useState(false);
  const opened = isRequested && manages;
  const state = useQuery({
    ...endpointQuery(getTracker, { params: { tracker } }),
    enabled: opened,
    meta: { quiet: true },
  });
  const close = () => {
    setDirty(false);
    setOpen(false);
  };
  const title = trackerTitles[tracker];
  return (
    <SetupDrawer
      mark={tracker}
      title={state.data?.connection ? `Change the connection to ${title}` : `Connect ${title}`}
      opened={opened}
      onClose={close}
      dirty={dirty}
    >
      {state.data ? (
        <TrackerForm
          state={state.data}
          onDirty={setDirty}
          onCancel={close}
          onConnected={() => {
            toast.success(`${title} is connected.`);
            close();
          }}
        />
      ) : (
        state.error && (
          <Failure
            title="The connection could not be loaded"
            error={state.error}
            onRetry={() => void state.refetch()}
          />
        )
      )}
    </SetupDrawer>
  );
}
