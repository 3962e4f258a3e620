import { ActionIcon, Autocomplete, Button, Select } from '@mantine/core';
import { type RoleId, roleIds, roleNames } from '@sightline/contract/core/permissions.ts';
import { type Directory, listDirectoryGroups, updateDirectory } from '@sightline/contract/organization/directory.ts';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
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

/** Edits the roles that groups give. */
export function GroupRoles({ directory }: { directory: Directory }) {
  const [defaultRole, setDefaultRole] = useState(directory.defaultRole);
  const [rows, setRows] = useState<readonly Row[]>(directory.groupRoles.map((row, key) => ({ ...row, key })));
  const names = useGroupNames();
  const save = useChange(
    () =>
      call(updateDirectory, {
        body: {
          defaultRole,
          groupRoles: rows.filter(({ group }) => group.trim() !== '').map(({ group, roleId }) => ({ group, roleId })),
        },
      }),
    () => toast.success('The roles are saved. Memberships follow within a minute.'),
    { quiet: true },
  );
  const change = (key: number, values: Partial<Row>) =>
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
          save.mutate();
        }}
      >
        <p className="dim">A user of several groups gets the most powerful of their roles.</p>
        {save.error && <Banner tone="error">{errorMessageOf(save.error, 'Not saved. Try again.')}</Banner>}
        <DefaultRoleSelect value={defaultRole} onChange={setDefaultRole} />
        {rows.map(({ key, group, roleId }) => (
          <div className={s.role} key={key}>
            <Autocomplete
              label="Group"
              data={names}
              limit={50}
              value={group}
              maxLength={200}
              onChange={(value) => change(key, { group: value })}
            />
            <Select
              label="Role"
              data={roles}
              value={roleId}
              allowDeselect={false}
              onChange={(value) => change(key, { roleId: roleIds.find((role) => role === value) ?? roleId })}
            />
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={`Remove the role of ${group || 'the group'}`}
              onClick={() => setRows(rows.filter((row) => row.key !== key))}
            >
              <IconX size={15} aria-hidden />
            </ActionIcon>
          </div>
        ))}
        <div className={s.role}>
          <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={add}>
            Add a group
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save roles
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function useGroupNames(): string[] {
  const { data } = useQuery({
    ...endpointQuery(listDirectoryGroups, { query: { perPage: 100 } }),
    meta: { quiet: true },
  });
  return [...new Set(data?.rows.map(({ name }) => name) ?? [])];
}
