import { type Integration, listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#lib/api.ts';

/** Code hosts beside GitHub that are connected, whether they work or not; undefined while that is not known yet. */
export function useOtherHosts(): Integration[] | undefined {
  const { data, isError } = useQuery({ ...ask(listIntegrations, {}), meta: { quiet: true } });
  if (isError && !data) return [];
  return data?.filter(
    ({ name, category, status }) => category === 'source-code-management' && name !== 'github' && status !== 'inactive',
  );
}
