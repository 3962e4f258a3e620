import { Button, Textarea } from '@mantine/core';
import type { Portal } from '@sightline/contract/compliance/auditor-portals.ts';
import { assertToAuditor, listPortalAssertions } from '@sightline/contract/compliance/portal-assertions.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import { Panel } from '#ui/Panel.tsx';
import { AssertionList } from './AssertionList.tsx';

/** Lists the management assertions of a portal. Account Owners sign off new ones. */
export function PortalAssertions({ portal }: { portal: Portal }) {
  const [opened, setOpened] = useState(false);
  const maySign = hasPermission(useSession(), 'update:org') && portal.state === 'open';
  const { data, error, refetch } = useQuery({
    ...endpointQuery(listPortalAssertions, { params: { portalId: portal.id } }),
    meta: { quiet: true },
  });
  const button = maySign && (
    <Button variant="default" size="compact-sm" onClick={() => setOpened(true)}>
      Sign off assertion
    </Button>
  );
  return (
    <Panel title="Management assertion" flush aside={data && data.length > 0 && button}>
      {error && !data ? (
        <Failure title="The assertions could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <Empty kind="nothing-yet" title="No management assertion" action={button || undefined}>
          An Account Owner states here that the description of controls is fair and the controls were effective.
        </Empty>
      ) : (
        <AssertionList assertions={data ?? []} />
      )}
      {opened && <AssertionDialog portal={portal} onClose={() => setOpened(false)} />}
    </Panel>
  );
}

function AssertionDialog({ portal, onClose }: { portal: Portal; onClose: () => void }) {
  const [text, setText] = useState(templateOf(portal));
  const save = useChange(
    () => call(assertToAuditor, { params: { portalId: portal.id }, body: { text: text.trim() } }),
    onClose,
    { quiet: true },
  );
  return (
    <FormDialog
      title="Sign off management assertion"
      submit="Sign off"
      ready={text.trim() !== ''}
      pending={save.isPending}
      problem={save.error ? errorMessageOf(save.error, 'The assertion was not signed off. Try again.') : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate()}
      width={640}
    >
      <Textarea
        label="Assertion"
        description="It is shown to the auditor with your name, recorded in the ledger, and cannot be changed."
        maxLength={8000}
        autosize
        minRows={6}
        maxRows={18}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </FormDialog>
  );
}

const templateOf = ({ snapshots }: Portal): string =>
  `We are responsible for the controls that the following snapshots evaluate: ${snapshots.map(({ name }) => name).join(', ')}. To the best of our knowledge, the evidence is complete, apart from the missing evidence that the snapshots state, and the controls operated effectively throughout the period, except for the items that the snapshots show as failed.`;
