import { Menu } from '@mantine/core';
import type { PolicyChange, PolicyKindDefinition } from '@sightline/contract/compliance/policies.ts';
import { IconArrowBackUp, IconCheck, IconX } from '@tabler/icons-react';
import { PersonName } from '#ui/PersonName.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import type { PolicyChangeAction } from './PolicyChangeDialog.tsx';
import s from './PolicyChanges.module.css';
import { policyChangeActions, policyChangeStates, weakenedValues } from './policyChangeTexts.ts';

/** The columns of the list; `decided` shows the decision instead of the actions. */
export const policyChangeColumns = (
  kinds: readonly PolicyKindDefinition[],
  decided: boolean,
  onAction: (action: PolicyChangeAction) => void,
): Column<PolicyChange>[] => [
  {
    key: 'policy',
    header: 'Policy',
    place: 'main',
    cell: ({ name, action, outdated }) => (
      <span className={s.words}>
        <b className="truncate" title={name}>
          {name}
        </b>
        <span className={s.sub}>
          {policyChangeActions[action]}
          {outdated !== null && ' · outdated'}
        </span>
      </span>
    ),
  },
  {
    key: 'weakened',
    header: 'Less strict',
    width: 420,
    place: 'meta',
    cell: (change) => (
      <span className={s.words}>
        {weakenedValues(change, kinds).map(({ label, before, after }) => (
          <span key={label} className={s.sub}>
            {label}: {before} → {after}
          </span>
        ))}
      </span>
    ),
  },
  {
    key: 'requested',
    header: 'Requested',
    sort: 'requested',
    firstDirection: 'desc',
    width: 180,
    place: 'metaEnd',
    cell: ({ requestedBy, requestedAt }) => (
      <span className={s.words}>
        <PersonName person={requestedBy} size={18} />
        <span className={s.sub}>
          <TimeAgo at={requestedAt} />
        </span>
      </span>
    ),
  },
  decided ? decision : actions(onAction),
];

const decision: Column<PolicyChange> = {
  key: 'state',
  header: 'Decision',
  width: 220,
  place: 'side',
  cell: ({ state, decidedBy, selfApproved, reason }) => (
    <span className={s.words}>
      <StatusDot tone={policyChangeStates[state][0]}>{policyChangeStates[state][1]}</StatusDot>
      {decidedBy && (
        <span className={s.sub} title={reason}>
          {selfApproved ? (
            'by the requester'
          ) : (
            <>
              by <PersonName person={decidedBy} />
            </>
          )}
        </span>
      )}
    </span>
  ),
};

const actions = (onAction: (action: PolicyChangeAction) => void): Column<PolicyChange> => ({
  key: 'menu',
  header: 'Actions',
  width: 56,
  place: 'menu',
  cell: (change) =>
    Object.values(change.allowed).some(Boolean) && (
      <RowMenu label={`Actions for the change of ${change.name}`}>
        {entries.map(
          ([kind, label, Icon]) =>
            change.allowed[kind] && (
              <Menu.Item
                key={kind}
                leftSection={<Icon size={15} aria-hidden />}
                onClick={() => onAction({ kind, change })}
              >
                {label}
              </Menu.Item>
            ),
        )}
      </RowMenu>
    ),
});

const entries = [
  ['approve', 'Approve', IconCheck],
  ['reject', 'Reject', IconX],
  ['withdraw', 'Withdraw change', IconArrowBackUp],
] as const;
