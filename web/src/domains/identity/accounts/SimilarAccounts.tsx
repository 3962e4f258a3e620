import { Button } from '@mantine/core';
import { listSimilarAccounts, type SimilarAccount } from '@sightline/contract/identity/identities.ts';
import { IconUsers } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { startLinking } from '#lib/linking.ts';
import { accountSettingsPath } from '#lib/profile.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Failure } from '#ui/Failure.tsx';
import s from './Account.module.css';
import { AccountListItem } from './Row.tsx';
import { AccountSection, SkeletonRows } from './Section.tsx';

/** spec 2.12, by flag: other accounts that probably belong to the same person. */
export function SimilarAccounts() {
  const { data, error, refetch } = useQuery({ ...endpointQuery(listSimilarAccounts, {}), meta: { quiet: true } });
  return (
    <AccountSection id="linking" title="Account Linking & Merging" flush>
      {error && !data ? (
        <Failure title="Similar accounts could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={1} />
      ) : data.length === 0 ? (
        <p className={s.quiet}>No other account shares a confirmed email address with this one.</p>
      ) : (
        <>
          <p className={s.quiet}>
            These accounts share a confirmed email address with yours. To link one, sign in to it. Both then become one
            account.
          </p>
          <ul>
            {data.map((one) => (
              <Similar key={`${one.connection} ${one.email}`} one={one} />
            ))}
          </ul>
        </>
      )}
    </AccountSection>
  );
}

function Similar({ one }: { one: SimilarAccount }) {
  const link = useMutation({
    mutationFn: () => startLinking(one.connection, accountSettingsPath),
    onSuccess: ({ url }) => window.location.assign(url),
    meta: { quiet: true },
  });
  const failed = link.error;
  return (
    <AccountListItem
      icon={<IconUsers size={20} stroke={1.6} aria-hidden />}
      name={one.email}
      meta={
        failed ? (
          <span className={s.wrong}>{errorMessageOf(link.error, 'Failed to link identities')}</span>
        ) : (
          one.connection
        )
      }
    >
      <Button
        variant="default"
        loading={link.isPending || link.isSuccess}
        aria-label={`Link ${one.email}`}
        onClick={() => link.mutate()}
      >
        Link
      </Button>
    </AccountListItem>
  );
}
