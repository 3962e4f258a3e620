import { Button } from '@mantine/core';
import { type Organization, restoreOrganization } from '@sightline/contract/organization/organizations.ts';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { call } from '#lib/api.ts';
import { errorMessageOf, logUpdateFailure } from '#lib/reason.ts';
import { signIn } from '#lib/sign-in.ts';
import { Banner } from '#ui/Banner.tsx';
import { useNow } from '#ui/Clock.tsx';
import { lazy } from '#ui/lazy.ts';
import { errorCauseOf } from './errorCause.ts';
import s from './Settings.module.css';

/** Shown on every page of an archived organization, which only its owners can open, with the button to restore it. */
export function ArchivedBanner({ organization: { id, archivedAt, restorableUntil } }: { organization: Organization }) {
  const path = useLocation({ select: ({ href }) => href });
  const now = useNow();
  const restorable = now < Date.parse(restorableUntil ?? '');
  const restore = useMutation({
    mutationFn: async () => {
      await call(restoreOrganization, {});
      // Signs in again to replace the read-only token.
      await signIn({ organization: id, path });
    },
    meta: { quiet: true },
    onError: (error) => logUpdateFailure(error),
  });
  return (
    <div className={s.archived}>
      <Banner tone="info">
        <div className={s.archivedText}>
          <p>
            <b>This organization is archived</b> since {dateOf(archivedAt)}. It is read-only.{' '}
            {restorable
              ? `You can restore it with its members until ${dateOf(restorableUntil)}.`
              : `It could be restored until ${dateOf(restorableUntil)}.`}
          </p>
          {restorable && (
            <Button
              variant="default"
              // Loading until the browser has left for the sign-in page.
              loading={restore.isPending || restore.isSuccess}
              onClick={() => restore.mutate()}
            >
              Restore organization
            </Button>
          )}
        </div>
      </Banner>
      {restore.error && (
        <Banner tone="error" details={errorCauseOf(restore.error)} onClose={restore.reset}>
          {errorMessageOf(restore.error, 'The organization could not be restored.')}
        </Banner>
      )}
    </div>
  );
}

const date = lazy(() => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }));
const dateOf = (at: string | null) => (at === null ? '' : date().format(Date.parse(at)));
