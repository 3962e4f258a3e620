import type { CallInput } from '@sightline/contract/core/endpoint.ts';
import {
  getOrganizationSecurity,
  type OrganizationSecurity,
  updateOrganizationSecurity,
} from '@sightline/contract/organization/organization-security.ts';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import { toast } from '#ui/toast.ts';

type SecurityUpdate = CallInput<typeof updateOrganizationSecurity>['body'];

/** Changes the security settings of the organization. The caller shows failures. */
export const useUpdateSecurity = (done: string, onDone: () => void) =>
  useSecurityChange((body: SecurityUpdate) => call(updateOrganizationSecurity, { body }), done, onDone);

/** The same for any endpoint that returns the new security settings. */
export function useSecurityChange<Input>(
  change: (input: Input) => Promise<OrganizationSecurity>,
  done: string,
  onDone: () => void = () => undefined,
): UseMutationResult<OrganizationSecurity, Error, Input> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (now) => {
      queryClient.setQueryData(keyOf(getOrganizationSecurity, {}), now);
      toast.success(done);
      onDone();
    },
    meta: { quiet: true },
  });
}
