import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { useSession } from '#lib/session.ts';
import { Empty } from '#ui/Empty.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';

/** Replaces a page that the role does not include: the reason, and whom to contact. */
export function NotAllowed({ title }: { title: string }) {
  const roles = useSession()?.roles ?? [];
  const { data } = useQuery({ ...endpointQuery(getOrganization, {}), meta: { quiet: true } });
  const owners = data?.ownerEmails ?? [];
  return (
    <>
      <PageHeader title={title} />
      <Panel>
        <Empty kind="not-allowed" title="Your role does not include this page">
          {roles.length > 0 && `Your role: ${roles.join(', ')}. `}
          An Account Owner can give you another role
          {owners.length > 0 ? `: ${owners.join(', ')}.` : '.'}
        </Empty>
      </Panel>
    </>
  );
}
