import { Select } from '@mantine/core';
import { roleNames } from '@sightline/contract/core/permissions.ts';
import { type Directory, defaultRoleIds } from '@sightline/contract/organization/directory.ts';

export type DefaultRole = Directory['defaultRole'];

const options = [
  ...defaultRoleIds.map((value) => ({ value, label: roleNames[value] })),
  { value: '', label: 'No access' },
];

/** Selects the role of active users without a group that gives one. */
export const DefaultRoleSelect = ({
  value,
  onChange,
  disabled = false,
}: {
  value: DefaultRole;
  onChange: (role: DefaultRole) => void;
  disabled?: boolean;
}) => (
  <Select
    label="Default role"
    description="Of new members whose groups give no role."
    data={options}
    value={value ?? ''}
    allowDeselect={false}
    disabled={disabled}
    onChange={(chosen) => onChange(defaultRoleIds.find((role) => role === chosen) ?? null)}
  />
);
