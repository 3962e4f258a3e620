import { getOrganization } from '@sightline/contract/organizations.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#lib/api.ts';
import { may, useSession } from '#lib/session.ts';

/** spec 2.9: said to whoever may not enable, disable or connect. */
export const ownersOnly = 'Only the account owner can make this action';

/** Whether the asking person may connect a code host, enable and disable repositories. */
export const useManages = (): boolean => may(useSession(), 'manage:integrations');

/** Whom to ask: the owners' addresses, empty until they are known. */
export function useOwners(): readonly string[] {
  const { data } = useQuery({ ...ask(getOrganization, {}), meta: { quiet: true } });
  return data?.ownerEmails ?? [];
}
