import { Button } from '@mantine/core';
import { finalizeGithubInstall } from '@sightline/contract/sources/github.ts';
import { useQuery } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { call, keyOf } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import type { Search } from '#lib/search-params.ts';
import { legal } from '#lib/site.ts';
import { toSitePath } from '#lib/site-path.ts';
import { Focus } from '#ui/Focus.tsx';
import { Link } from '#ui/Link.tsx';
import { Notice } from '#ui/Notice.tsx';

/** GitHub redirects here after the app was installed or requested (spec 2.2). */
export function GithubCallbackPage() {
  const router = useRouter();
  const search: Search = useSearch({ strict: false });
  const requested = search.setup_action === 'request';
  // A query, because GitHub's code is valid once, however often the page is rendered.
  const { data, error } = useQuery({
    queryKey: keyOf(finalizeGithubInstall, { query: callbackOf(search) }),
    queryFn: () => call(finalizeGithubInstall, { query: callbackOf(search) }),
    // A requested app has no installation ID yet.
    enabled: search.installation_id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
  useEffect(() => {
    if (data && !requested) void router.navigate({ href: toSitePath(data.redirectURL) ?? '/', replace: true });
  }, [data, requested, router]);

  if (error)
    return <Result title="GitHub was not connected">{errorMessageOf(error, 'The server did not respond.')}</Result>;
  if (requested) {
    return (
      <Result title="Waiting for approval">
        An owner of the GitHub organization was asked to approve the app. Repositories appear here once they have.
      </Result>
    );
  }
  if (search.installation_id === undefined) {
    return <Result title="GitHub was not connected">GitHub returned no installation. Connect it again.</Result>;
  }
  return <Focus legal={legal}>{null}</Focus>;
}

const callbackOf = ({ installation_id = '', state, code, setup_action }: Search) => ({
  installation_id,
  ...(state !== undefined && { state }),
  ...(code !== undefined && { code }),
  ...(setup_action !== undefined && { setup_action }),
});

const Result = ({ title, children }: { title: string; children: string }) => (
  <Focus legal={legal}>
    <Notice
      title={title}
      actions={
        <>
          <Button component={Link} href="/onboarding/setup/2">
            Go to version control
          </Button>
          <Button variant="default" component={Link} href="/">
            Go to Home
          </Button>
        </>
      }
    >
      {children}
    </Notice>
  </Focus>
);
