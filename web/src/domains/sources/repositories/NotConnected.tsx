import { IconBrandGithub } from '@tabler/icons-react';
import { useOwners } from '#lib/rights.ts';
import { Empty } from '#ui/Empty.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { ConnectGithub } from './ConnectGithub.tsx';
import type { GithubStatus } from './GithubSettings.tsx';

const title = 'Github not connected';
const icon = <IconBrandGithub size={19} stroke={1.6} />;

/** spec 2.9: offers the connection to owners, and shows other roles whom to contact. */
export function NotConnected({ status, manages }: { status: GithubStatus; manages: boolean }) {
  const owners = useOwners();
  return (
    <Panel>
      {manages ? (
        <Empty
          kind="nothing-yet"
          title={title}
          icon={icon}
          action={status.state !== 'not_configured' && <ConnectGithub sandbox={status.sandbox} />}
        >
          {prompts[status.state]}{' '}
          <Link href="/integrations/source-code-management" className="link under">
            Other code hosts
          </Link>
        </Empty>
      ) : (
        <Empty kind="not-allowed" title={title}>
          Please contact your organization administrator{owners.length > 0 && `: ${named(owners)}`}.
        </Empty>
      )}
    </Panel>
  );
}

const connect = 'Connect it to import repositories, pull requests and commits.';
const prompts: Record<GithubStatus['state'], string> = {
  active: connect,
  not_connected: connect,
  not_configured: 'No GitHub app is configured on this server. Its operator can configure one under Integrations.',
  suspended: 'The GitHub app is suspended. Resume it in its settings on GitHub, or connect it again.',
  waiting_for_approval: 'An owner of the GitHub organization must approve the request.',
};

const named = (owners: readonly string[]) =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(owners.slice(0, 3));
