import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from './api.ts';
import { may, useSession } from './session.ts';

/** spec 2.9: said to whoever may not enable, disable or connect. */
const onlyOwners = 'Only the account owner can make this action';

/** Whether the asking person may connect code hosts and scanners, enable and disable repositories. */
export const useManages = (): boolean => may(useSession(), 'manage:integrations');

/** Why they may not, in these words or because the organization is archived; undefined where they may. */
export function useManagesReason(words = onlyOwners): string | undefined {
  const manages = useManages();
  const { data } = useQuery({ ...ask(getOrganization, {}), meta: { quiet: true } });
  if (manages) return undefined;
  return data?.archivedAt == null ? words : 'This organization is archived. Restore it first.';
}

/** Whom to ask: the owners' addresses, empty until they are known. */
export function useOwners(): readonly string[] {
  const { data } = useQuery({ ...ask(getOrganization, {}), meta: { quiet: true } });
  return data?.ownerEmails ?? [];
}
