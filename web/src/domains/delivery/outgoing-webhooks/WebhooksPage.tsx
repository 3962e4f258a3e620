import { Button } from '@mantine/core';
import { createOutgoingWebhook, listOutgoingWebhooks } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { SecretDialog } from './SecretDialog.tsx';
import { webhookHref } from './states.ts';
import { WebhookDialog, type WebhookDraft } from './WebhookDialog.tsx';
import { webhookColumns } from './webhookColumns.tsx';

/** Lists the outgoing webhooks for owners. */
export function WebhooksPage() {
  const list = usePagedList(listOutgoingWebhooks);
  const archived = useQuery({ ...endpointQuery(getOrganization, {}), meta: { quiet: true } }).data?.archivedAt != null;
  const [adding, setAdding] = useState(false);
  const navigate = useNavigate();
  const add = useChange(
    (body: WebhookDraft) => call(createOutgoingWebhook, { body }),
    () => setAdding(false),
    {
      quiet: true,
    },
  );
  const open = () => {
    add.reset();
    setAdding(true);
  };
  const button = (
    <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={open} disabled={archived}>
      Add webhook
    </Button>
  );
  return (
    <>
      {!list.isEmptyUnfiltered && !list.failure && (
        <Filters end={button}>
          <SearchBox
            label="Search webhooks"
            value={list.query.search}
            onChange={(search) => list.setQuery({ search })}
          />
        </Filters>
      )}
      <ListTable
        views="webhooks"
        list={list}
        label="Webhooks"
        noun="webhooks"
        tall
        columns={webhookColumns}
        rowKey={({ id }) => id}
        rowHref={webhookHref}
        empty={
          <Empty kind="nothing-yet" title="No webhooks" icon={<IconWebhook size={19} stroke={1.6} />} action={button}>
            A webhook sends events to another service immediately.
          </Empty>
        }
        noMatch="No webhook matches"
      />
      {adding && <WebhookDialog title="Add webhook" submit="Add" save={add} onClose={() => setAdding(false)} />}
      {add.data && (
        <SecretDialog
          title="The webhook is added"
          secret={add.data.secret}
          onClose={() => {
            const { webhook } = add.data;
            add.reset();
            navigate(webhookHref(webhook));
          }}
        />
      )}
    </>
  );
}
