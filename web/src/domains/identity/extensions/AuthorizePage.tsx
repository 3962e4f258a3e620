import { programName } from '@sightline/contract/identity/extensions.ts';
import type { Organization } from '@sightline/contract/organization/organizations.ts';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { reasonOf } from '#lib/reason.ts';
import { authorizeRules, legal } from '#lib/site.ts';
import { Focus } from '#ui/Focus.tsx';
import { Link } from '#ui/Link.tsx';
import { Notice } from '#ui/Notice.tsx';
import { readAsked } from './authorization-request.ts';
import { HandOver } from './HandOver.tsx';
import { Retry } from './Retry.tsx';
import { WithToken } from './WithToken.tsx';

interface AuthorizePageProps {
  /** The one in whose name the person is signed in; undefined while it is not known yet. */
  organization: Organization | undefined;
  /** Why it is not known. */
  error: unknown;
  onRetry: () => void;
}

/** spec 2.1: hands the sign-in over to the extension that asked for it. */
export function AuthorizePage({ organization, error, onRetry }: AuthorizePageProps) {
  const { scheme = '' } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  const asked = readAsked(scheme, search, authorizeRules());
  const program = programName(asked.kind === 'code' ? asked.type : scheme);
  return (
    <Focus legal={legal}>
      {asked.kind === 'refused' ? (
        <Refused
          title={`${scheme === 'browser' ? 'The extension' : program} could not be signed in`}
          actions={
            <Link className="link" href="/">
              Go to Home
            </Link>
          }
        >
          {reasons[asked.reason]}
        </Refused>
      ) : error !== undefined && organization === undefined ? (
        <Refused title="Your organization could not be loaded" actions={<Retry onRetry={onRetry} />}>
          {reasonOf(error)}
        </Refused>
      ) : organization === undefined ? (
        <Notice title={`Signing in to ${program}`}>
          <p role="status">Checking permissions.</p>
        </Notice>
      ) : asked.kind === 'token' ? (
        <WithToken scheme={asked.scheme} program={program} organization={organization} />
      ) : (
        <HandOver key={asked.codeChallenge} asked={asked} program={program} organization={organization} />
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
