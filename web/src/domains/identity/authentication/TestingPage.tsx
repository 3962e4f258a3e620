import { Button } from '@mantine/core';
import { ApiError } from '@sightline/contract/core/client.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { errorMessageOf } from '#lib/reason.ts';
import { legal } from '#lib/site.ts';
import { startUserTesting } from '#lib/testing-token.ts';
import { Focus } from '#ui/Focus.tsx';
import { Link } from '#ui/Link.tsx';
import { Notice } from '#ui/Notice.tsx';

/**
 * spec 2.1, outside production only: starts a session with the token in the address, marks it as user testing, and
 * redirects to Home. Always removes the token from the address, so that the history does not contain it.
 */
export function TestingPage() {
  const router = useRouter();
  const queryClient = useQueryClient();
  const search = useSearch({ strict: false });
  // The initial value, because the effect removes it from the address.
  const [accessToken] = useState(search.accessToken);
  const { isSuccess, error } = useQuery({
    queryKey: ['testing', accessToken],
    queryFn: async () => {
      await startUserTesting(accessToken ?? '');
      return true;
    },
    enabled: accessToken !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: { quiet: true },
  });
  useEffect(() => {
    if (!isSuccess) return;
    // Cached data belongs to an earlier user.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'testing' });
    void router.navigate({ to: '/', replace: true });
  }, [isSuccess, queryClient, router]);
  useEffect(() => {
    if (error) void router.navigate({ to: '/testing', search: {}, replace: true });
  }, [error, router]);
  if (accessToken !== undefined && !error) return <Focus legal={legal}>{null}</Focus>;
  return (
    <Focus legal={legal}>
      <Notice
        title={error ? 'Invalid or expired token' : 'Use a token'}
        actions={
          <Button component={Link} href="/">
            Go to Home
          </Button>
        }
      >
        {error ? (
          wordsOf(error)
        ) : (
          <>
            Open <code>/testing?accessToken=</code> with a token at its end. The operator of this server creates one
            with the command <code>token</code>. The session ends when the token expires. Until then the error dialog is
            not shown.
          </>
        )}
      </Notice>
    </Focus>
  );
}

const wordsOf = (error: unknown): string =>
  error instanceof ApiError && error.status === 401
    ? 'It expired, or this server did not create it. The operator of the server can create another one.'
    : errorMessageOf(error, 'The server did not respond. Open the address again in a moment.');
