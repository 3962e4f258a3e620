import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from './api.ts';
import { hasPermission, useSession } from './session.ts';

/** Spec 2.9: shown without permission to enable, disable or connect. */
const onlyOwners = 'Only the account owner can make this action';

/** Whether the user may connect code hosts and scanners, and enable and disable repositories. */
export const useMayManageIntegrations = (): boolean => hasPermission(useSession(), 'manage:integrations');

/** Why they may not: the given words, or that the organization is archived; undefined if they may. */
export function useManageIntegrationsRefusal(words = onlyOwners): string | undefined {
  const manages = useMayManageIntegrations();
  const { data } = useQuery({ ...endpointQuery(getOrganization, {}), meta: { quiet: true } });
  if (manages) return undefined;
  return data?.archivedAt == null ? words : 'This organization is archived. Restore it first.';
}

/** Whom to contact: the owners' addresses, empty until known. */
export function useOwners(): readonly string[] {
  const { data } = useQuery({ ...endpointQuery(getOrganization, {}), meta: { quiet: true } });
  return data?.ownerEmails ?? [];
}
