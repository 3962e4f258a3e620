import { programName } from '@sightline/contract/identity/extensions.ts';
import type { Organization } from '@sightline/contract/organization/organizations.ts';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { errorMessageOf } from '#lib/reason.ts';
import { authorizeRules, legal } from '#lib/site.ts';
import { Focus } from '#ui/Focus.tsx';
import { Link } from '#ui/Link.tsx';
import { Notice } from '#ui/Notice.tsx';
import { parseAuthorizationRequest } from './authorization-request.ts';
import { CodeRedirect } from './HandOver.tsx';
import { RetryActions } from './Retry.tsx';
import { TokenRedirect } from './WithToken.tsx';

interface AuthorizePageProps {
  /** The organization of the current sign-in; undefined while loading. */
  organization: Organization | undefined;
  /** Why the organization could not be loaded. */
  error: unknown;
  onRetry: () => void;
}

/** spec 2.1: passes the sign-in to the extension that requested it. */
export function AuthorizePage({ organization, error, onRetry }: AuthorizePageProps) {
  const { scheme = '' } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  const request = parseAuthorizationRequest(scheme, search, authorizeRules());
  const program = programName(request.kind === 'code' ? request.type : scheme);
  return (
    <Focus legal={legal}>
      {request.kind === 'refused' ? (
        <Refused
          title={`${scheme === 'browser' ? 'The extension' : program} could not be signed in`}
          actions={
            <Link className="link" href="/">
              Go to Home
            </Link>
          }
        >
          {reasons[request.reason]}
        </Refused>
      ) : error !== undefined && organization === undefined ? (
        <Refused title="Your organization could not be loaded" actions={<RetryActions onRetry={onRetry} />}>
          {errorMessageOf(error, 'The server could not be reached. Check your connection.')}
        </Refused>
      ) : organization === undefined ? (
        <Notice title={`Signing in to ${program}`}>
          <p role="status">Checking permissions.</p>
        </Notice>
      ) : request.kind === 'token' ? (
        <TokenRedirect scheme={request.scheme} program={program} organization={organization} />
      ) : (
        <CodeRedirect key={request.codeChallenge} request={request} program={program} organization={organization} />
      )}
    </Focus>
  );
}

const reasons = {
  incomplete: 'The link is incomplete or was changed on the way. Start the sign-in again from the extension.',
  callback:
    'This server does not send sign-ins to the callback address. The operator of the server can allow its origin with the setting AUTHORIZE_CALLBACK_ORIGINS.',
  token:
    'The link has no PKCE challenge, and this server refuses such links because they carry your access token. Update the extension and sign in again, or ask the operator about the setting AUTHORIZE_WITH_TOKEN.',
};

const Refused = ({ title, children, actions }: { title: string; children: string; actions: ReactNode }) => (
  <Notice title={title} icon={<IconPlugConnectedX size={19} stroke={1.6} />} actions={actions}>
    {children}
  </Notice>
);
