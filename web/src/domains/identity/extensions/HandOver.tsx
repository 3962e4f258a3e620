import { Button } from '@mantine/core';
import { ApiError } from '@sightline/contract/core/client.ts';
import { authorizeExtension } from '@sightline/contract/identity/extensions.ts';
import type { Organization } from '@sightline/contract/organization/organizations.ts';
import { IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useEffect } from 'react';
import { call, keyOf } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Notice } from '#ui/Notice.tsx';
import s from './Authorize.module.css';
import { type AuthorizationRequest, redirectAddressOf } from './authorization-request.ts';
import { RetryActions } from './Retry.tsx';
import { redirectTo } from './redirect.ts';
import { ExtensionPermissions, SignInSummary } from './Who.tsx';

interface HandOverProps {
  request: Extract<AuthorizationRequest, { kind: 'code' }>;
  program: string;
  organization: Organization;
}

/** Requests a code and opens the extension. The button is a fallback if the browser asks for permission first. */
export function CodeRedirect({ request, program, organization }: HandOverProps) {
  const { side, type, device, codeChallenge, to } = request;
  const body = { side, type, device, codeChallenge };
  // A query, because a code is valid once, however often the page is rendered.
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: keyOf(authorizeExtension, { body }),
    queryFn: () => call(authorizeExtension, { body }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    meta: { quiet: true },
  });
  const address = data && redirectAddressOf(to, data.code);
  useEffect(() => {
    if (address !== undefined) redirectTo(address);
  }, [address]);

  if (error && !data) {
    return (
      <Notice
        title={`${program} was not signed in`}
        icon={<IconPlugConnectedX size={19} stroke={1.6} />}
        actions={<RetryActions onRetry={() => void refetch()} />}
      >
        <p>{errorMessageOf(error, 'The server could not be reached. Check your connection.')}</p>
        {error instanceof ApiError && error.refusal?.cause && <p>{error.refusal.cause}</p>}
      </Notice>
    );
  }
  const renewed = (event: MouseEvent) => {
    if (data && Date.parse(data.expiresAt) > Date.now()) return;
    // The code expired while the page was open. The new code opens the editor automatically.
    event.preventDefault();
    void refetch();
  };
  return (
    <Notice
      title={address === undefined ? `Signing in to ${program}` : `Opening ${program}`}
      icon={<IconPlugConnected size={19} stroke={1.6} />}
      actions={
        side === 'ide' && (
          <Button component="a" href={address} loading={isFetching} onClick={renewed}>
            Open {program}
          </Button>
        )
      }
    >
      <SignInSummary device={device} organization={organization} />
      <ExtensionPermissions program={program} side={side} />
      {address !== undefined && side === 'ide' && (
        <p role="status" className={s.status}>
          If the extension did not open, your browser may be asking for permission. Open {program} with the button
          above.
        </p>
      )}
    </Notice>
  );
}
