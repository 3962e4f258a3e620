import { Drawer } from '@mantine/core';
import {
  type Permission,
  type PermissionScope,
  permissionScopeOf,
  permissionTexts,
  readRepositories,
} from '@sightline/contract/core/permissions.ts';
import type { Role } from '@sightline/contract/organization/roles.ts';
import { IconCheck, IconX } from '@tabler/icons-react';
import { docsHref } from '#lib/docs.ts';
import { DocsLink } from '#ui/DocsLink.tsx';
import s from './Roles.module.css';

interface RolesDrawerProps {
  opened: boolean;
  onClose: () => void;
  roles: readonly Role[];
}

const groups: readonly { title: string; permissions: readonly Permission[] }[] = [
  {
    title: 'Organization and members',
    permissions: ['read:org', 'update:org', 'read:org-members', 'read:invitations', 'create:invitation'],
  },
  {
    title: 'Code and activity',
    permissions: [...readRepositories, 'manage:integrations', 'read:events', 'read:commit-digest'],
  },
  {
    title: 'Security and policies',
    permissions: [
      'read:vulnerabilities',
      'write:findings',
      'approve:exceptions',
      'read:policies',
      'read:policies-status',
      'write:policies',
      'delete:policies',
    ],
  },
  { title: 'Evidence', permissions: ['read:evidence', 'create:evidence', 'read:audit-log'] },
];

/** Lists the permissions of each role, from the same table that the server uses. */
export const RolesDrawer = ({ opened, onClose, roles }: RolesDrawerProps) => (
  <Drawer.Root opened={opened} onClose={onClose} position="right" size={760}>
    <Drawer.Overlay />
    <Drawer.Content>
      <div className={s.head}>
        <Drawer.Title className={s.title ?? ''}>Role permissions</Drawer.Title>
        <Drawer.CloseButton aria-label="Close" icon={<IconX size={16} aria-hidden />} />
      </div>
      <Drawer.Body className={s.body ?? ''}>
        <dl className={s.roles}>
          {roles.map(({ id, name, description, assignable }) => (
            <div key={id}>
              <dt>
                {name}
                {!assignable && <span className={s.later}>Not in use</span>}
              </dt>
              <dd>{description}</dd>
            </div>
          ))}
        </dl>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable by keyboard */}
        <section className={s.scroll} aria-label="Permissions of each role" tabIndex={0}>
          <table className={s.table}>
            <thead>
              <tr>
                <th scope="col">Permission</th>
                {roles.map(({ id, name }) => (
                  <th key={id} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            {groups.map(({ title, permissions }) => (
              <tbody key={title}>
                <tr>
                  <th scope="colgroup" colSpan={roles.length + 1} className={s.group}>
                    {title}
                  </th>
                </tr>
                {permissions.map((permission) => (
                  <tr key={permission}>
                    <th scope="row">{permissionTexts[permission]}</th>
                    {roles.map(({ id }) => (
                      <td key={id}>
                        <ScopeLabel reach={permissionScopeOf(id, permission)} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            ))}
          </table>
        </section>
        <p className={s.note}>
          “Own” covers only the person’s own data: their commits and events.{' '}
          <DocsLink href={docsHref('roles')}>Role reference</DocsLink>
        </p>
      </Drawer.Body>
    </Drawer.Content>
  </Drawer.Root>
);

function ScopeLabel({ reach }: { reach: PermissionScope | undefined }) {
  if (reach === undefined) {
    return (
      <span className="dim">
        <span aria-hidden>–</span>
        <span className="vh">No</span>
      </span>
    );
  }
  return (
    <span className={s.yes}>
      <IconCheck size={14} stroke={2.5} aria-hidden />
      {reach === 'own' ? 'Own' : 'Yes'}
    </span>
  );
}
