import { Menu, UnstyledButton } from '@mantine/core';
import { IconCheck, IconSelector, IconSettings } from '@tabler/icons-react';
import { Link } from '#ui/Link.tsx';
import { Face } from '#ui/Person.tsx';
import s from './OrganizationSelector.module.css';

export interface ShellOrganization {
  id: string;
  name: string;
  logo?: string | undefined;
}

interface OrganizationSelectorProps {
  /**
   * Excludes organizations that the user is only invited to (spec 2.3); undefined until known. Without an active
   * organization there is no shell.
   */
  organizations: readonly ShellOrganization[] | undefined;
  activeId: string;
  /** Called for an organization other than the active one; signs in again for it. */
  onChoose: (id: string) => void;
  /** 'Manage Organizations'. */
  manageHref: string;
}

export function OrganizationSelector({ organizations, activeId, onChoose, manageHref }: OrganizationSelectorProps) {
  const active = organizations?.find(({ id }) => id === activeId);
  if (!organizations || !active) return <span className={s.placeholder} aria-hidden />;
  return (
    <Menu position="bottom-start" width={264}>
      <Menu.Target>
        <UnstyledButton className={s.trigger ?? ''}>
          <span className="vh">Organization: </span>
          <Face name={active.name} picture={active.logo} size={22} square />
          <span className="truncate">{active.name}</span>
          <span className={s.mark}>Org</span>
          <IconSelector size={14} className={s.faint} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Your organizations</Menu.Label>
        {organizations.map(({ id, name, logo }) => (
          <Menu.Item
            key={id}
            leftSection={<Face name={name} picture={logo} size={20} square />}
            rightSection={id === activeId && <IconCheck size={15} aria-hidden />}
            aria-current={id === activeId || undefined}
            onClick={() => id !== activeId && onChoose(id)}
          >
            <span className={`truncate ${s.name}`}>{name}</span>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} href={manageHref} leftSection={<IconSettings size={16} stroke={1.6} aria-hidden />}>
          Manage Organizations
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
