import { listErasures } from '@sightline/contract/organization/erasure.ts';
import { getMembersSummary } from '@sightline/contract/organization/members.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { listRepositories } from '@sightline/contract/sources/repositories.ts';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { useFlag } from '#lib/flags.ts';
import { hasPermission, isOwner, useSession } from '#lib/session.ts';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Face } from '#ui/Person.tsx';

const tabs = {
  general: '/organization/settings',
  repositories: '/organization/repositories',
  members: '/organization/members',
  accessKeys: '/organization/access-keys',
  webhooks: '/organization/webhooks',
  erasures: '/organization/erasures',
};

const help: Record<string, { href: string; about: string }> = {
  [tabs.general]: { href: docsHref('roles', 'account-owner'), about: 'running an organization' },
  [tabs.repositories]: { href: docsHref('repositories', 'enable-a-repository'), about: 'enabling repositories' },
  [tabs.members]: { href: docsHref('roles'), about: 'roles' },
  [tabs.accessKeys]: { href: docsHref('integrations-sarif', 'upload-from-a-build'), about: 'access keys' },
  [tabs.erasures]: { href: docsHref('privacy', 'data-deletion'), about: 'deleting personal data' },
  [tabs.webhooks]: { href: docsHref('outgoing-webhooks'), about: 'webhooks' },
};

/** spec 2.8: header and tabs of the organization pages. The address determines the tab. */
export function OrganizationLayout() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const session = useSession();
  const repositories = useFlag('release2') && hasPermission(session, 'read:github-repos');
  const members = hasPermission(session, 'read:org-members');
  const webhooks = hasPermission(session, 'manage:integrations');
  const owner = isOwner(session);
  const accessKeys = useFlag('vulnerabilities') && webhooks;
  const organization = useQuery({ ...endpointQuery(getOrganization, {}), meta: { quiet: true } }).data;
  const enabled = useQuery({
    ...endpointQuery(listRepositories, { query: { perPage: 5 } }),
    select: ({ total }) => total,
    enabled: repositories,
    meta: { quiet: true },
  }).data;
  const total = useQuery({
    ...endpointQuery(getMembersSummary, {}),
    select: (summary) => summary.total,
    enabled: members,
    meta: { quiet: true },
  }).data;
  const waiting = useQuery({
    ...endpointQuery(listErasures, { query: { state: ['requested'], perPage: 5 } }),
    select: ({ total: open }) => open || undefined,
    enabled: owner,
    meta: { quiet: true },
  }).data;
  const name = organization?.displayName ?? 'Organization';
  return (
    <>
      <PageHeader
        title={name}
        help={help[path]}
        before={<Face name={name} picture={organization?.logoUrl ?? undefined} size={28} square />}
      />
      <LinkTabs
        label="Organization"
        current={path}
        tabs={[
          { label: 'General', href: tabs.general },
          ...(repositories ? [{ label: 'Repositories', href: tabs.repositories, count: enabled }] : []),
          ...(members ? [{ label: 'Members', href: tabs.members, count: total }] : []),
          ...(accessKeys ? [{ label: 'Access keys', href: tabs.accessKeys }] : []),
          ...(webhooks ? [{ label: 'Webhooks', href: tabs.webhooks }] : []),
          ...(owner ? [{ label: 'Data deletion', href: tabs.erasures, count: waiting }] : []),
        ]}
      />
      <Outlet />
    </>
  );
}
