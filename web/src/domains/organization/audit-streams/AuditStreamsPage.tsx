import { Button } from '@mantine/core';
import { createAuditStream, listAuditStreams } from '@sightline/contract/organization/audit-streams.ts';
import { IconBroadcast, IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { useManageIntegrationsRefusal } from '#lib/rights.ts';
import { invalidateTopics } from '#lib/topics.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { SigningSecret } from '#ui/SigningSecret.tsx';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { type AuditStreamForm, newStreamOf } from './draft.ts';
import { StreamDialog } from './StreamDialog.tsx';
import { streamColumns } from './streamColumns.tsx';

// How far destinations are changes all the time.
const refreshMs = 10_000;

/** The destinations that the audit log is streamed to: added by owners, with how far each one is. */
export function AuditStreamsPage() {
  const list = usePagedList(listAuditStreams);
  const isLocked = useManageIntegrationsRefusal() !== undefined;
  const [isAdding, setAdding] = useState(false);
  const queryClient = useQueryClient();
  useEffect(() => {
    const refresh = () => void invalidateTopics(queryClient, ['auditStreams']);
    const timer = setInterval(refresh, refreshMs);
    return () => clearInterval(timer);
  }, [queryClient]);
  const add = useChange(
    (draft: AuditStreamForm) => call(createAuditStream, { body: newStreamOf(draft) }),
    () => setAdding(false),
    { quiet: true },
  );
  const open = () => {
    add.reset();
    setAdding(true);
  };
  const button = (
    <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={open} disabled={isLocked}>
      Add destination
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Audit log streaming"
        back={{ label: 'Audit log', href: '/audit' }}
        help={{ href: docsHref('audit-streams'), about: 'audit log streaming' }}
        note="Sends every entry of the audit log to a SIEM or an archive, in order and at least once."
      />
      {!list.isEmptyUnfiltered && !list.failure && (
        <Filters end={button}>
          <SearchBox
            label="Search destinations"
            value={list.query.search}
            onChange={(search) => list.setQuery({ search })}
          />
        </Filters>
      )}
      <ListTable
        views="audit-streams"
        list={list}
        label="Destinations"
        noun="destinations"
        tall
        columns={streamColumns}
        rowKey={({ id }) => id}
        empty={
          <Empty
            kind="nothing-yet"
            title="No destinations yet"
            icon={<IconBroadcast size={19} stroke={1.6} />}
            action={button}
          >
            A destination receives every entry of the audit log: a syslog receiver, S3-compatible storage, or an HTTPS
            address.
          </Empty>
        }
        noMatch="No destination matches"
      />
      {isAdding && <StreamDialog save={add} onClose={() => setAdding(false)} />}
      {add.data?.secret && (
        <SigningSecret
          title="The destination is added"
          secret={add.data.secret}
          signs="a request"
          note="Requests are signed according to Standard Webhooks. Libraries exist for most languages."
          helpHref={docsHref('outgoing-webhooks', 'verify-the-signature')}
          onClose={add.reset}
        />
      )}
    </>
  );
}
