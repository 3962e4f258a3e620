import {
  getOrganizationSecurity,
  type OrganizationSecurity,
  updateOrganizationSecurity,
} from '@sightline/contract/organization-security.ts';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import { toast } from '#ui/toast.ts';

type Rules = Partial<
  Pick<OrganizationSecurity, 'requireSecondFactor' | 'idleMinutes' | 'sessionHours' | 'allowedNetworks'>
>;

/** Changes what the organization asks of its members; the page shows a failure itself. */
export function useUpdateSecurity(
  done: string,
  onDone: () => void,
): UseMutationResult<OrganizationSecurity, Error, Rules> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Rules) => call(updateOrganizationSecurity, { body }),
    onSuccess: (now) => {
      queryClient.setQueryData(keyOf(getOrganizationSecurity, {}), now);
      toast.success(done);
      onDone();
    },
    meta: { quiet: true },
  });
}
