import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { removeDemo } from '@sightline/contract/organization/demo.ts';
import type { Organization } from '@sightline/contract/organization/organizations.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { errorMessageOf, logUpdateFailure } from '#lib/reason.ts';
import { signOut } from '#lib/sign-in.ts';
import { Banner } from '#ui/Banner.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import s from './Settings.module.css';

/** Labels generated data on every page. Account Owners remove it here. */
export function DemoBanner({ organization: { role } }: { organization: Organization }) {
  const [asking, { open, close }] = useDisclosure(false);
  return (
    <div className={s.archived}>
      <Banner tone="info">
        <div className={s.archivedText}>
          <p>
            <b>Demo data.</b> People, code and findings are generated. Ledger entries, reviews and snapshots have the
            date on which the demo was created.
          </p>
          {role === 'rol_owner' && (
            <Button variant="default" size="compact-sm" onClick={open}>
              Remove demo data
            </Button>
          )}
        </div>
      </Banner>
      {asking && <RemoveDemoDialog onClose={close} />}
    </div>
  );
}

/** The accounts of the demo are deleted with it, so everyone is signed out. */
function RemoveDemoDialog({ onClose }: { onClose: () => void }) {
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
