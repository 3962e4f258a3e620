import { Button } from '@mantine/core';
import { type Anchor, anchorKindNames, createAnchor } from '@sightline/contract/ledger/anchors.ts';
import {
  IconAnchor,
  IconClockShield,
  IconEyeCheck,
  IconGitCommit,
  IconMail,
  IconPlus,
  IconWebhook,
} from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { useManageIntegrationsRefusal, useMayManageIntegrations } from '#lib/rights.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { AnchorActions } from './AnchorActions.tsx';
import { AnchorDialog } from './AnchorDialog.tsx';
import { AnchorSecret } from './AnchorSecret.tsx';
import { anchorStateBadges, integerFormat, intervalLabel, unconfirmedText } from './anchorLabels.ts';
import type { AnchorDraft } from './draft.ts';
import { useAnchors } from './useLedger.ts';

const icons = {
  witness: IconEyeCheck,
  rfc3161: IconClockShield,
  mail: IconMail,
  webhook: IconWebhook,
  git: IconGitCommit,
};

/** The anchors, their state and the actions of an owner. */
export function Anchors() {
  const { data, error, refetch } = useAnchors();
  const manages = useMayManageIntegrations();
  const reason = useManageIntegrationsRefusal();
  const [adding, setAdding] = useState(false);
  const add = useChange(
    (body: AnchorDraft) => call(createAnchor, { body }),
    () => setAdding(false),
    { quiet: true },
  );
  const open = () => {
    add.reset();
    setAdding(true);
  };
  const rows = data?.rows;
  const isFirst = rows?.length === 0;
  const button = manages && reason === undefined && (
    <Button
      {...(!isFirst && { variant: 'default', size: 'xs' })}
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={open}
    >
      Add anchor
    </Button>
  );
  return (
    <Panel title="Anchors" flush aside={!isFirst && button}>
      {error && !data ? (
        <Failure title="The anchors could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label="Anchors"
          rows={rows}
          columns={manages ? [...columns, actions] : columns}
          rowKey={({ id }) => id}
          skeletonRows={2}
          tall
          empty={
            <Empty
              kind="nothing-yet"
              title="No anchors configured"
              icon={<IconAnchor size={19} stroke={1.6} />}
              action={button || undefined}
            >
              An anchor is an external party that keeps checkpoints: a witness, a time-stamping authority, an email
              address, a repository. It makes changes to earlier entries detectable.
            </Empty>
          }
        />
      )}
      {adding && <AnchorDialog save={add} onClose={() => setAdding(false)} />}
      {add.data?.secret && <AnchorSecret secret={add.data.secret} onClose={add.reset} />}
    </Panel>
  );
}

const columns: readonly Column<Anchor>[] = [
  {
    key: 'party',
    header: 'Anchor',
    place: 'main',
    cell: ({ kind, party, everyHours, unconfirmed }) => {
      const Icon = icons[kind];
      return (
        <RowTitle
          glyph={<Icon size={18} stroke={1.5} aria-hidden />}
          meta={[
            `${anchorKindNames[kind]}, ${intervalLabel(everyHours).toLowerCase()}`,
            ...unconfirmedText(unconfirmed),
          ].join(' · ')}
        >
          <RowName>{party}</RowName>
        </RowTitle>
      );
    },
  },
  {
    key: 'last',
    header: 'Published',
    width: 220,
    place: 'metaEnd',
    cell: ({ last }) =>
      last ? (
        <span className="truncate">
          {integerFormat.format(last.size)} entries, <TimeAgo at={last.at} />
        </span>
      ) : (
        <span className="dim">None</span>
      ),
  },
  {
    key: 'attempt',
    header: 'Last attempt',
    width: 260,
    place: 'meta',
    cell: ({ lastAttempt }) =>
      lastAttempt ? <span className="truncate">{lastAttempt.message}</span> : <span className="dim">Running</span>,
  },
  {
    key: 'state',
    header: 'State',
    width: 110,
    place: 'side',
    cell: ({ state }) => <StatusBadge tone={anchorStateBadges[state][0]}>{anchorStateBadges[state][1]}</StatusBadge>,
  },
];

const actions: Column<Anchor> = {
  key: 'actions',
  header: <span className="vh">Actions</span>,
  width: 48,
  place: 'menu',
  cell: (anchor) => <AnchorActions anchor={anchor} />,
};
