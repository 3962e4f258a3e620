import type { RepositoryDetail, RepositoryHost } from '@sightline/contract/sources/repositories.ts';
import type { ReactNode } from 'react';
import { useMayManageIntegrations, useOwners } from '#lib/rights.ts';
import { Banner } from '#ui/Banner.tsx';
import { isWebUrl } from '#ui/ExternalLink.tsx';
import { Link } from '#ui/Link.tsx';
import { providerName } from '#ui/providerName.ts';
import { TimeAgo } from '#ui/TimeAgo.tsx';

/** Reports that the code host denies access to new data of the repository, with consequences and actions. */
export function HostNotice({ repository }: { repository: RepositoryDetail }) {
  const manages = useMayManageIntegrations();
  const { host, provider } = repository;
  if (host.state === 'connected') return null;
  const name = providerName(provider);
  return (
    <Banner tone="error">
      <b>{titles[host.state](name, host)}</b>
      {host.since !== null && (
        <>
          {' '}
          (<TimeAgo at={host.since} />)
        </>
      )}
      . No new data is imported. Imported data is kept. {manages ? remedyOf(repository, name) : <Owners />}
    </Banner>
  );
}

type HostProblem = Exclude<RepositoryHost['state'], 'connected'>;

const titles: Record<HostProblem, (name: string, host: RepositoryHost) => string> = {
  suspended: (name, { account }) => `Sightline is suspended on ${name}${on(account)}`,
  removed: (name, { account }) => `${name} is no longer connected${on(account)}`,
  refused: (name) => `${name} rejects the access token`,
  withheld: (name) => `${name} no longer provides this repository`,
};

const on = (account: string | null) => (account === null ? '' : `, account ${account}`);

const integrations = '/integrations/source-code-management';

/** For owners: the action that restores access, with a link. */
function remedyOf({ provider, host: { state, settingsURL } }: RepositoryDetail, name: string): ReactNode {
  const setup = provider === 'github' ? integrations : `${integrations}?setup=${provider}`;
  const settingsHref = settingsURL === null ? undefined : settingsURL;
  if (state === 'suspended' && settingsHref !== undefined) {
    return <HostLink href={settingsHref}>Resume it in its settings on {name}</HostLink>;
  }
  if (state === 'withheld') {
    return (
      <>
        It was deleted or moved, or Sightline lost access to it.{' '}
        {settingsHref !== undefined && <HostLink href={settingsHref}>Check the access of Sightline on {name}</HostLink>}
      </>
    );
  }
  return (
    <Link href={setup} className="link under">
      Connect {name} again
    </Link>
  );
}

/** Underlined, because the surrounding text has a similar brightness. */
const HostLink = ({ href, children }: { href: string; children: ReactNode }) =>
  isWebUrl(href) && (
    <a className="link under" href={href} target="_blank" rel="noreferrer">
      {children}
      <span className="vh">, opens a new tab</span>
    </a>
  );

/** For other roles: the owners to contact. */
function Owners() {
  const owners = useOwners();
  if (owners.length === 0) return 'Ask an Account Owner of your organization to resolve this.';
  return `Ask ${new Intl.ListFormat('en', { type: 'disjunction' }).format(owners.slice(0, 3))} to resolve this.`;
}
