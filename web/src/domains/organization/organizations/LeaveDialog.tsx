import { leaveOrganization, type Organization } from '@sightline/contract/organization/organizations.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { signIn } from '#lib/sign-in.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';

interface LeaveDialogProps {
  organization: Organization;
  opened: boolean;
  onClose: () => void;
  onFailure: (error: unknown) => void;
}

/** Confirms, leaves the organization, and signs in without an organization, which shows the list of them. */
export function LeaveDialog({ organization, opened, onClose, onFailure }: LeaveDialogProps) {
  const leave = useMutation({
    mutationFn: async () => {
      await call(leaveOrganization, {});
      await signIn({ path: '/organizations' });
    },
    meta: { quiet: true },
    onError: (error) => {
      onClose();
      onFailure(error);
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Leave ${organization.displayName}?`}
      confirm="Leave organization"
      danger
      // Pending until the browser has left for the sign-in page.
      pending={leave.isPending || leave.isSuccess}
      onConfirm={() => leave.mutate()}
    >
      You lose access immediately. Your activity stays on record. To return, you need a new invitation.
    </ConfirmDialog>
  );
}
