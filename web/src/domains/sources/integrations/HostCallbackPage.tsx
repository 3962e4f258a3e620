import { Button } from '@mantine/core';
import { providerNames } from '@sightline/contract/core/providers.ts';
import { type ConnectableHost, finishHost } from '@sightline/contract/sources/host-connections.ts';
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
import { categoryPath } from './categories.ts';
import { storedReturnPath } from './setupAddress.ts';

/** A code host redirects here after a sign-in or a refusal. */
export function HostCallbackPage({ host }: { host: ConnectableHost }) {
  const router = useRouter();
  const { state, code, error: refused }: Search = useSearch({ strict: false });
  const body = { state: state ?? '', code: code ?? '' };
  const isComplete = state !== undefined && code !== undefined;
  // A query, because a code is valid once, however often the page is rendered.
  const { data, error } = useQuery({
    queryKey: keyOf(finishHost, { params: { provider: host }, body }),
    queryFn: () => call(finishHost, { params: { provider: host }, body }),
    enabled: isComplete,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
  useEffect(() => {
    if (data) void router.navigate({ href: toSitePath(data.redirectURL) ?? '/', replace: true });
  }, [data, router]);

  const name = providerNames[host];
  if (error) return <Result host={host}>{errorMessageOf(error, 'The server did not respond.')}</Result>;
  if (refused !== undefined) return <Result host={host}>{`Access to ${name} was denied. Nothing was changed.`}</Result>;
  if (!isComplete) return <Result host={host}>{`${name} returned no response. Connect it again.`}</Result>;
  return <Focus legal={legal}>{null}</Focus>;
}

const Result = ({ host, children }: { host: ConnectableHost; children: string }) => (
  <Focus legal={legal}>
    <Notice
      title={`${providerNames[host]} was not connected`}
      actions={
        <>
          <Button
            component={Link}
            href={storedReturnPath(host) ?? `${categoryPath('source-code-management')}?setup=${host}`}
          >
            Try again
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
