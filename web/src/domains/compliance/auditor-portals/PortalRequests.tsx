import { Button } from '@mantine/core';
import type { Portal } from '@sightline/contract/compliance/auditor-portals.ts';
import { attachToPortal, downloadPortalAttachment } from '@sightline/contract/compliance/portal-attachments.ts';
import { answerEvidenceRequest, listEvidenceRequests } from '@sightline/contract/compliance/portal-requests.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { Comment } from '#ui/Comment.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { EvidenceRequestItem } from './EvidenceRequestItem.tsx';
import s from './Portals.module.css';

const endpoints = { attach: attachToPortal, download: downloadPortalAttachment };

/** Lists the evidence requests of a portal. Owners and reviewers answer them and attach files. */
export function PortalRequests({ portal, canManage }: { portal: Portal; canManage: boolean }) {
  const { data, error, refetch } = useQuery({
    ...endpointQuery(listEvidenceRequests, { params: { portalId: portal.id } }),
    meta: { quiet: true },
  });
  return (
    <Panel title="Requests" flush>
      {error && !data ? (
        <Failure title="The requests could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <Empty kind="nothing-yet" title="No evidence requests">
          Requests of the auditor and your answers appear here.
        </Empty>
      ) : (
        <ul aria-label="Requests" aria-busy={data === undefined}>
          {data?.map((request) => (
            <EvidenceRequestItem
              key={request.id}
              request={request}
              portalId={portal.id}
              sides={{ auditor: portal.auditor.name, organization: 'Answered' }}
              endpoints={endpoints}
              mayAttach={canManage && portal.state === 'open'}
            >
              {canManage && <Answer portalId={portal.id} requestId={request.id} />}
            </EvidenceRequestItem>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Answer({ portalId, requestId }: { portalId: string; requestId: string }) {
  const [text, setText] = useState('');
  const send = useChange(
    () => call(answerEvidenceRequest, { params: { portalId, requestId }, body: { text: text.trim() } }),
    () => setText(''),
    { failed: 'The answer was not sent. Try again.' },
  );
  return (
    <form
      className={s.answering}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '' && !send.isPending) send.mutate();
      }}
    >
      <Comment label="Answer" description="It cannot be changed later" value={text} onChange={setText} />
      <Button type="submit" variant="default" disabled={text.trim() === ''} loading={send.isPending}>
        Send answer
      </Button>
    </form>
  );
}
