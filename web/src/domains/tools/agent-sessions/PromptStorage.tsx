import { Button } from '@mantine/core';
import { getPromptStorage, updatePromptStorage } from '@sightline/contract/tools/agent-sessions.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { isOwner, useSession } from '#lib/session.ts';
import { Banner } from '#ui/Banner.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './AgentSessions.module.css';

const usePromptStorage = () => useQuery({ ...endpointQuery(getPromptStorage, {}), meta: { quiet: true } });

/** Tells every reader of sessions that texts of prompts are stored; nothing if they are not. */
export function PromptStorageBanner() {
  const { data } = usePromptStorage();
  if (!data?.isEnabled) return null;
  return (
    <Banner tone="warning">
      Texts of prompts are stored
      {data.enabledAt !== null && (
        <>
          {' since '}
          <TimeAgo at={data.enabledAt} />
        </>
      )}
      {data.enabledBy !== null && ` by decision of ${data.enabledBy.name}`}. Everyone who can see a session can read its
      prompts.
    </Banner>
  );
}

/** Shows whether texts of prompts are stored, and lets Account Owners change it. */
export function PromptStoragePanel() {
  const mayChange = isOwner(useSession());
  const { data, error, refetch } = usePromptStorage();
  const [isAsking, setIsAsking] = useState(false);
  const update = useChange(
    (isEnabled: boolean) => call(updatePromptStorage, { body: { isEnabled } }),
    () => setIsAsking(false),
  );
  return (
    <Panel className={s.section} title="Prompt texts">
      {error ? (
        <Failure title="The setting could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={s.steps}>
          {data?.isEnabled ? (
            <PromptStorageBanner />
          ) : (
            <p>Of prompts, only their number, their length and a keyed hash are stored. Their texts are dropped.</p>
          )}
          {mayChange && data && (
            <div className={s.row}>
              <Button variant="default" onClick={() => setIsAsking(true)}>
                {data.isEnabled ? 'Stop and delete texts' : 'Store prompt texts'}
              </Button>
            </div>
          )}
        </div>
      )}
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setIsAsking(false)}
        title={data?.isEnabled ? 'Stop storing prompt texts?' : 'Store prompt texts?'}
        confirm={data?.isEnabled ? 'Stop and delete' : 'Store texts'}
        danger={data?.isEnabled === true}
        pending={update.isPending}
        onConfirm={() => update.mutate(!data?.isEnabled)}
      >
        {data?.isEnabled
          ? 'All stored texts are deleted. This cannot be undone.'
          : 'Texts of future prompts are stored, encrypted, if an agent sends them. Everyone who can see a session can read them, and every member sees that texts are stored.'}
      </ConfirmDialog>
    </Panel>
  );
}
