import { removeDemo } from '@sightline/contract/organization/demo.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { errorMessageOf, logUpdateFailure } from '#lib/reason.ts';
import { signOut } from '#lib/sign-in.ts';
import { FormDialog } from '#ui/FormDialog.tsx';

/** The accounts of the demo are deleted with it, so everyone is signed out. */
export function RemoveDemoDialog({ onClose }: { onClose: () => void }) {
  const remove = useMutation({
    mutationFn: async () => {
      await call(removeDemo, {});
      await signOut();
    },
    meta: { quiet: true },
    onError: (error) => logUpdateFailure(error),
  });
  return (
    <FormDialog
      title="Remove demo data?"
      submit="Remove demo data"
      danger
      ready
      // Pending until the browser has left for the sign-in page.
      pending={remove.isPending || remove.isSuccess}
      problem={remove.error ? errorMessageOf(remove.error, 'The demo data could not be removed.') : undefined}
      onClose={onClose}
      onSubmit={() => remove.mutate()}
    >
      <p>
        The organization is deleted with its repositories, findings, ledger and demo accounts. Other organizations are
        unchanged. You can create the demo again later.
      </p>
    </FormDialog>
  );
}
