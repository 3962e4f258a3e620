import { Button } from '@mantine/core';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import type { MemberStatus } from '@sightline/contract/organization/member-actions.ts';
import { memberStatuses } from '@sightline/contract/organization/member-actions.ts';
import { listMembers, type MemberListItem } from '@sightline/contract/organization/members.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { defaultRole, listRoles, type Role } from '@sightline/contract/organization/roles.ts';
import { IconShieldQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { useAsOf } from '#lib/as-of.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { hasPermission, isOwner, useSession } from '#lib/session.ts';
import { AsOfBanner } from '#ui/AsOfBanner.tsx';
import { AsOfButton } from '#ui/AsOfButton.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { ConfirmMemberChange, needsConfirmation } from './ConfirmMemberChange.tsx';
import { type MemberChange, useMemberChange } from './changes.ts';
import { EraseDialog } from './EraseDialog.tsx';
import { InvitePanel } from './InvitePanel.tsx';
import type { MenuAction } from './MemberMenu.tsx';
import s from './Members.module.css';
import { MembersSummary } from './MembersSummary.tsx';
import { memberColumns } from './memberColumns.tsx';
import { RolesDrawer } from './RolesDrawer.tsx';
import { statusLabels } from './statuses.ts';

const noRoles: readonly Role[] = [];
/** The ledger records members, and no invitations or committers. */
const isRecordedStatus = (status: MemberStatus): boolean => !['pending', 'outdated', 'uninvited'].includes(status);

const memberChangeOf = (member: MemberListItem, kind: MenuAction): MemberChange =>
  kind === 'invite' || kind === 'resend' ? { kind, member, role: member.role?.id ?? defaultRole } : { kind, member };

/** spec 2.8: counts, the invitation form, and all members. The address holds the state of the list. */
export function MembersPage() {
  const session = useSession();
  const list = usePagedList(listMembers);
  const roles = useQuery({ ...endpointQuery(listRoles, {}), meta: { quiet: true } }).data ?? noRoles;
  const archived = useQuery({ ...endpointQuery(getOrganization, {}), meta: { quiet: true } }).data?.archivedAt != null;
  const invites = hasPermission(session, 'create:invitation') && !archived;
  const [explaining, setExplaining] = useState(false);
  const [pendingChange, setPendingChange] = useState<MemberChange>();
  const [erasing, setErasing] = useState<MemberListItem>();
  const change = useMemberChange();
  const { query, setQuery } = list;
  const { role, status, ledgerSize } = query;
  const onSelect = useCallback((status: string[]) => setQuery({ status: status as MemberStatus[] }), [setQuery]);
  const explain = useCallback(() => setExplaining(true), []);

  const startChange = (next: MemberChange) => (needsConfirmation(next) ? setPendingChange(next) : change.mutate(next));
  const onRole = (member: MemberListItem, role: RoleId) => startChange({ kind: 'changeRole', member, role });
  const onAction = (member: MemberListItem, kind: MenuAction) => startChange(memberChangeOf(member, kind));
  const asOf = useAsOf(ledgerSize, (size) =>
    setQuery({ search: '', status: status.filter(isRecordedStatus), ledgerSize: size }),
  );
  const isCurrent = ledgerSize === undefined;
  const shown = roles.filter(({ id, assignable }) => assignable || role.includes(id));
  return (
    <>
      <AsOfBanner asOf={asOf}>
        Names and addresses are those of today. Invitations, uninvited committers, inviters and last activity were not
        recorded.
      </AsOfBanner>
      {isCurrent && (
        <div className={s.top} data-alone={!invites || undefined}>
          <MembersSummary selected={status} onSelect={onSelect} />
          {invites && <InvitePanel roles={roles} onExplain={explain} />}
        </div>
      )}
      <Filters
        end={
          <>
            <AsOfButton asOf={asOf} />
            <Button variant="default" leftSection={<IconShieldQuestion size={15} aria-hidden />} onClick={explain}>
              Role permissions
            </Button>
          </>
        }
      >
        {isCurrent && (
          <SearchBox label="Search members" value={query.search} onChange={(search) => setQuery({ search })} />
        )}
        <MultiSelect
          name="Role"
          options={shown.map(({ id, name }) => ({ value: id, label: name }))}
          values={role}
          onChange={(chosen) => setQuery({ role: chosen as RoleId[] })}
          emptyText="No roles available"
        />
        <MultiSelect
          name="Status"
          options={memberStatuses
            .filter((each) => hasPermission(session, 'read:invitations') || !['pending', 'outdated'].includes(each))
            .filter((each) => isCurrent || isRecordedStatus(each))
            .map((each) => ({ value: each, label: statusLabels[each] }))}
          values={status}
          onChange={onSelect}
          emptyText="No statuses available"
        />
      </Filters>
      <ListTable
        views="members"
        list={list}
        label="Members"
        noun="members"
        tall
        columns={memberColumns({
          you: session?.accountId,
          roles,
          acts: isCurrent && isOwner(session) && !archived,
          pending: ({ id }) => change.isPending && change.variables.member.id === id,
          onRole,
          onAction,
          onErase: setErasing,
        })}
        rowKey={({ id }) => id}
        empty={<Empty kind="nothing-yet" title="No members yet" />}
        noMatch="No member matches"
        filters={[
          ...role.map((id) => `Role: ${roles.find((each) => each.id === id)?.name ?? id}`),
          ...status.map((each) => `Status: ${statusLabels[each]}`),
        ]}
      />
      <ConfirmMemberChange
        change={pendingChange}
        pending={change.isPending}
        onClose={() => setPendingChange(undefined)}
        onConfirm={(confirmed) => change.mutate(confirmed, { onSettled: () => setPendingChange(undefined) })}
      />
      {erasing && <EraseDialog member={erasing} onClose={() => setErasing(undefined)} />}
      <RolesDrawer opened={explaining} onClose={() => setExplaining(false)} roles={roles} />
    </>
  );
}
