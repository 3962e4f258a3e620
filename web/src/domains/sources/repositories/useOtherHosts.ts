import { type Integration, listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';

/** Connected code hosts other than GitHub, including those with errors; undefined while loading. */
export function useOtherHosts(): Integration[] | undefined {
  const { data, isError } = useQuery({ ...endpointQuery(listIntegrations, {}), meta: { quiet: true } });
  if (isError && !data) return [];
  return data?.filter(
    ({ name, category, status }) => category === 'source-code-management' && name !== 'github' && status !== 'inactive',
  );
}
