import { ActionIcon, Autocomplete, Button, Select } from '@mantine/core';
import { type RoleId, roleIds, roleNames } from '@sightline/contract/core/permissions.ts';
import {
  type Directory,
  type GroupRoles,
  listDirectoryGroups,
  updateDirectory,
  updateGroupRoles,
} from '@sightline/contract/organization/directory.ts';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { Panel } from '#ui/Panel.tsx';
import { toast } from '#ui/toast.ts';
import { DefaultRoleSelect } from './DefaultRoleSelect.tsx';
import s from './Directory.module.css';

interface Row {
  key: number;
  group: string;
  roleId: RoleId;
}

const roles = roleIds.map((value) => ({ value, label: roleNames[value] }));

/** Edits the roles that groups of the directory give, and its default role. */
export function DirectoryRoles({ directory }: { directory: Directory }) {
  const [defaultRole, setDefaultRole] = useState(directory.defaultRole);
  const names = useGroupNames();
  return (
    <GroupRolesForm
      initial={directory.groupRoles}
      names={names}
      note="A user of several groups gets the most powerful of their roles."
      saved="The roles are saved. Memberships follow within a minute."
      save={(groupRoles) => call(updateDirectory, { body: { defaultRole, groupRoles } })}
    >
      <DefaultRoleSelect value={defaultRole} onChange={setDefaultRole} />
    </GroupRolesForm>
  );
}

/** Edits the roles of groups that the required identity provider reports. */
export const ReportedGroupRoles = ({ groupRoles }: { groupRoles: GroupRoles }) => (
  <GroupRolesForm
    initial={groupRoles.roles}
    names={[]}
    note={`${groupRoles.reportedBy} reports the groups of a member at each sign-in. The most powerful of their roles applies, and ends with the groups that gave it.`}
    saved="The roles are saved. They apply from the next sign-in of each member."
    save={(roles) => call(updateGroupRoles, { body: { roles } })}
  />
);

interface GroupRolesFormProps {
  initial: GroupRoles['roles'];
  names: readonly string[];
  note: string;
  saved: string;
  save: (roles: GroupRoles['roles']) => Promise<unknown>;
  children?: ReactNode;
}

function GroupRolesForm({ initial, names, note, saved, save, children }: GroupRolesFormProps) {
  const [rows, setRows] = useState<readonly Row[]>(initial.map((row, key) => ({ ...row, key })));
  const change = useChange(
    () => save(rows.filter(({ group }) => group.trim() !== '').map(({ group, roleId }) => ({ group, roleId }))),
    () => toast.success(saved),
    { quiet: true },
  );
  const edit = (key: number, values: Partial<Row>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...values } : row)));
  const add = () =>
    setRows([...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, group: '', roleId: 'rol_contributor' }]);
  return (
    <Panel title="Roles">
      <form
        className={s.roles}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <p className="dim">{note}</p>
        {change.error && <Banner tone="error">{errorMessageOf(change.error, 'Not saved. Try again.')}</Banner>}
        {children}
        {rows.map((row) => (
          <GroupRoleFields
            key={row.key}
            row={row}
            names={names}
            onChange={(values) => edit(row.key, values)}
            onRemove={() => setRows(rows.filter(({ key }) => key !== row.key))}
          />
        ))}
        <div className={s.role}>
          <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={add}>
            Add a group
          </Button>
          <Button type="submit" loading={change.isPending}>
            Save roles
          </Button>
        </div>
      </form>
    </Panel>
  );
}

interface GroupRoleFieldsProps {
  row: Row;
  names: readonly string[];
  onChange: (values: Partial<Row>) => void;
  onRemove: () => void;
}

const GroupRoleFields = ({ row: { group, roleId }, names, onChange, onRemove }: GroupRoleFieldsProps) => (
  <div className={s.role}>
    <Autocomplete
      label="Group"
      data={[...names]}
      limit={50}
      value={group}
      maxLength={200}
      onChange={(value) => onChange({ group: value })}
    />
    <Select
      label="Role"
      data={roles}
      value={roleId}
      allowDeselect={false}
      onChange={(value) => onChange({ roleId: roleIds.find((role) => role === value) ?? roleId })}
    />
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={`Remove the role of ${group || 'the group'}`}
      onClick={onRemove}
    >
      <IconX size={15} aria-hidden />
    </ActionIcon>
  </div>
);

function useGroupNames(): string[] {
  const { data } = useQuery({
    ...endpointQuery(listDirectoryGroups, { query: { perPage: 100 } }),
    meta: { quiet: true },
  });
  return [...new Set(data?.rows.map(({ name }) => name) ?? [])];
}
