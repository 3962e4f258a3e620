import { connectableHosts } from '@sightline/contract/core/providers.ts';
import { useParams } from '@tanstack/react-router';
import { HostCallbackPage } from '#domains/sources/integrations/HostCallbackPage.tsx';
import { NotFoundNotice } from './NotFoundPage.tsx';

/** The page that a code host without an app redirects to after a sign-in. */
export function HostCallbackRoute() {
  const { provider } = useParams({ strict: false });
  const host = connectableHosts.find((name) => name === provider);
  return host === undefined ? <NotFoundNotice /> : <HostCallbackPage host={host} />;
}
