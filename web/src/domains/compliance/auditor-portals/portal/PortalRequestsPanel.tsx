import { Button, Select, Textarea, TextInput } from '@mantine/core';
import type { PortalVisit } from '@sightline/contract/compliance/auditor-portals.ts';
import { attachAsAuditor, downloadAsAuditor } from '@sightline/contract/compliance/portal-attachments.ts';
import {
  closeEvidenceRequest,
  type EvidenceRequest,
  listOwnEvidenceRequests,
  replyToAnswer,
  requestEvidence,
} from '@sightline/contract/compliance/portal-requests.ts';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Comment } from '#ui/Comment.tsx';
import { dateFieldAfterDays } from '#ui/days.ts';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import { Panel } from '#ui/Panel.tsx';
import { EvidenceRequestItem } from '../EvidenceRequestItem.tsx';
import portals from '../Portals.module.css';
import { usePortalStatus } from './usePortal.ts';

const endpoints = { attach: attachAsAuditor, download: downloadAsAuditor };

/** Lists the evidence requests of the auditor as threads, and sends new ones. */
export function PortalRequestsPanel({ portal }: { portal: PortalVisit }) {
  const [opened, setOpened] = useState(false);
  const { answered } = usePortalStatus();
  const { data, error, refetch } = useQuery({
    ...endpointQuery(listOwnEvidenceRequests, { params: { portalId: portal.id } }),
    staleTime: 0,
    meta: { quiet: true },
  });
  const shown = data?.flatMap(({ messages }) => messages).filter(({ side }) => side === 'organization').length;
  useEffect(() => {
    if (shown !== undefined && answered > shown) void refetch();
  }, [answered, shown, refetch]);
  const button = (
    <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpened(true)}>
      Request evidence
    </Button>
  );
  return (
    <Panel title="Requests" flush aside={data && data.length > 0 && button}>
      {error && !data ? (
        <Failure title="The requests could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <Empty kind="nothing-yet" title="No evidence requests" action={button}>
          Request missing evidence from the organization. Requests and answers are kept.
        </Empty>
      ) : (
        <ul aria-label="Requests" aria-busy={data === undefined}>
          {data?.map((request) => (
            <EvidenceRequestItem
              key={request.id}
              request={request}
              portalId={portal.id}
              sides={{ auditor: 'You', organization: portal.organization }}
              endpoints={endpoints}
              mayAttach
            >
              <Reply portalId={portal.id} request={request} />
            </EvidenceRequestItem>
          ))}
        </ul>
      )}
      {opened && <NewRequest portal={portal} onClose={() => setOpened(false)} />}
    </Panel>
  );
}

function Reply({ portalId, request }: { portalId: string; request: EvidenceRequest }) {
  const [text, setText] = useState('');
  const params = { portalId, requestId: request.id };
  const reply = useChange(
    () => call(replyToAnswer, { params, body: { text: text.trim() } }),
    () => setText(''),
    { failed: 'The reply was not sent. Try again.' },
  );
  const close = useChange(() => call(closeEvidenceRequest, { params }), undefined, {
    failed: 'The request was not closed. Try again.',
  });
  return (
    <form
      className={portals.answering}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '' && !reply.isPending) reply.mutate();
      }}
    >
      {request.state === 'answered' && <Comment label="Reply" value={text} onChange={setText} />}
      <div className={portals.replying}>
        {request.state === 'answered' && (
          <Button type="submit" variant="default" disabled={text.trim() === ''} loading={reply.isPending}>
            Send reply
          </Button>
        )}
        <Button variant="default" loading={close.isPending} onClick={() => close.mutate()}>
          Close request
        </Button>
      </div>
    </form>
  );
}

function NewRequest({ portal, onClose }: { portal: PortalVisit; onClose: () => void }) {
  const [control, setControl] = useState<ControlId | null>(null);
  const [text, setText] = useState('');
  const [dueOn, setDueOn] = useState('');
  const evaluated = new Set(portal.snapshots.flatMap(({ results }) => results.map(({ id }) => id)));
  const send = useChange(
    () =>
      call(requestEvidence, {
        params: { portalId: portal.id },
        body: { control, text: text.trim(), dueOn: dueOn === '' ? null : dueOn },
      }),
    onClose,
    { quiet: true },
  );
  return (
    <FormDialog
      title="Request evidence"
      submit="Send request"
      ready={text.trim() !== ''}
      pending={send.isPending}
      problem={send.error ? errorMessageOf(send.error, 'The request was not sent. Try again.') : undefined}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <Select
        label="Control"
        placeholder="No specific control"
        clearable
        data={controlIds.filter((id) => evaluated.has(id))}
        value={control}
        onChange={(value) => setControl(value as ControlId | null)}
      />
      <Textarea
        label="What you need"
        placeholder="Item, record, and the fact to show"
        maxLength={2000}
        autosize
        minRows={3}
        maxRows={10}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <TextInput
        type="date"
        label="Due on"
        description="Optional. The organization sees the request as overdue after this day (UTC)."
        w={220}
        min={dateFieldAfterDays(0)}
        value={dueOn}
        onChange={({ currentTarget }) => setDueOn(currentTarget.value)}
      />
    </FormDialog>
  );
}
