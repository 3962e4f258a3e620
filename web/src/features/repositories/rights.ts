import { getOrganization } from '@sightline/contract/organizations.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#lib/api.ts';
import { may, useSession } from '#lib/session.ts';

/** spec 2.9: said to whoever may not enable, disable or connect. */
const ownersOnly = 'Only the account owner can make this action';

/** Whether the asking person may connect a code host, enable and disable repositories. */
export const useManages = (): boolean => may(useSession(), 'manage:integrations');

/** Why they may not; undefined where they may. */
export function useManagesReason(): string | undefined {
  const manages = useManages();
  const { data } = useQuery({ ...ask(getOrganization, {}), meta: { quiet: true } });
  if (manages) return undefined;
  return data?.archivedAt == null ? ownersOnly : 'This organization is archived. Restore it first.';
}

/** Whom to ask: the owners' addresses, empty until they are known. */
export function useOwners(): readonly string[] {
  const { data } = useQuery({ ...ask(getOrganization, {}), meta: { quiet: true } });
  return data?.ownerEmails ?? [];
}
