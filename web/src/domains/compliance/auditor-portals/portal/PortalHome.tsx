import { Button, Select, Textarea } from '@mantine/core';
import {
  getPortalVisit,
  listOwnEvidenceRequests,
  type PortalSnapshot,
  type PortalVisit,
  requestEvidence,
} from '@sightline/contract/compliance/auditor-portals.ts';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import { IconCamera, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Facts } from '#ui/Facts.tsx';
import { Failure } from '#ui/Failure.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { snapshotPeriodName } from '#ui/snapshotText.ts';
import type { Column } from '../../../../ui/column.ts';
import { EvidenceRequestItem } from '../EvidenceRequestItem.tsx';
import { utcTimeText } from '../portalLabels.ts';
import s from './Portal.module.css';
import { portalPageHref, usePortalId, usePortalStatus } from './usePortal.ts';

/** The first page of a portal: its snapshots and evidence requests. */
export function PortalHome() {
  const portalId = usePortalId();
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getPortalVisit, { params: { portalId } }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
  if (!data) {
    return error ? (
      <Panel>
        <Failure title="The portal could not be loaded" error={error} onRetry={() => void refetch()} />
      </Panel>
    ) : (
      <p className="dim" role="status" aria-busy>
        Loading
      </p>
    );
  }
  return (
    <>
      <PageHeader title={data.name} note={`Evidence of ${data.organization} for ${data.auditor}.`} />
      <div className={s.page}>
        <Panel title="Snapshots" flush>
          <DataTable
            label="Snapshots"
            columns={columns}
            rows={data.snapshots}
            rowKey={({ id }) => id}
            rowHref={({ id }) => portalPageHref(portalId, 'snapshots', id)}
            empty={null}
          />
        </Panel>
        <Requests portal={data} />
        <Panel title="About this portal">
          <Facts side items={factsOf(data)} />
        </Panel>
      </div>
    </>
  );
}

const columns: Column<PortalSnapshot>[] = [
  {
    key: 'name',
    header: 'Snapshot',
    place: 'main',
    cell: ({ name }) => (
      <RowTitle glyph={<IconCamera size={16} stroke={1.8} aria-hidden />}>
        <RowName>{name}</RowName>
      </RowTitle>
    ),
  },
  { key: 'period', header: 'Period', width: 180, place: 'meta', cell: ({ period }) => snapshotPeriodName(period) },
  {
    key: 'controls',
    header: 'Controls',
    width: 180,
    place: 'side',
    cell: ({ results }) => {
      const evaluated = results.filter(({ status }) => status !== 'not_applicable');
      return `${evaluated.filter(({ status }) => status === 'passing').length} of ${evaluated.length} passing`;
    },
  },
  {
    key: 'frozen',
    header: 'Created',
    width: 220,
    place: 'metaEnd',
    cell: ({ takenAt }) => <time dateTime={takenAt}>{utcTimeText(takenAt)}</time>,
  },
];

const factsOf = ({ redaction, people, createdAt, expiresAt }: PortalVisit) =>
  [
    ['Active', `From ${utcTimeText(createdAt)} to ${utcTimeText(expiresAt)}`],
    ['Access', 'View evidence, sample items, download evidence packages and request evidence. Read-only.'],
    [
      'People',
      redaction === 'people'
        ? 'Redacted: committed personal data is not disclosed. All other data can be verified.'
        : people === 'names'
          ? 'Shown by their current names, which are not part of the bundles. Bundles identify people by ID.'
          : 'Shown by pseudonyms. The organization has their key. Titles of changes are shown if the bundle discloses them.',
    ],
    ['Recorded', 'Each page view, sample and download is recorded in the tamper-evident ledger of the organization.'],
    [
      'Content',
      `Only the contents of the bundles${people === 'names' ? ' and names of people' : ''}. Bundles can be verified offline, without this server.`,
    ],
  ] as const;

function Requests({ portal }: { portal: PortalVisit }) {
  const [opened, setOpened] = useState(false);
  const { answered } = usePortalStatus();
  const input = { params: { portalId: portal.id } };
  const { data, error, refetch } = useQuery({
    ...endpointQuery(listOwnEvidenceRequests, input),
    meta: { quiet: true },
  });
  const shown = data?.filter(({ answer }) => answer !== null).length;
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
            <EvidenceRequestItem key={request.id} request={request} />
          ))}
        </ul>
      )}
      {opened && <NewRequest portal={portal} onClose={() => setOpened(false)} onAsked={() => setOpened(false)} />}
    </Panel>
  );
}

function NewRequest({ portal, onClose, onAsked }: { portal: PortalVisit; onClose: () => void; onAsked: () => void }) {
  const [control, setControl] = useState<ControlId | null>(null);
  const [text, setText] = useState('');
  const evaluated = new Set(portal.snapshots.flatMap(({ results }) => results.map(({ id }) => id)));
  const send = useMutation({
    mutationFn: () => call(requestEvidence, { params: { portalId: portal.id }, body: { control, text: text.trim() } }),
    meta: { quiet: true },
    onSuccess: onAsked,
  });
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
    </FormDialog>
  );
}
