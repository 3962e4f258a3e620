import { githubStatus } from '../../github/queries.ts';
import { suspendedAccountMessages, uninstalledAccountMessages } from '../github-accounts.ts';
import { codeHostState } from '../host-health.ts';
import type { CardContext, IntegrationCard } from '../manifest.ts';
import { findMissingPermissions } from '../permissions.ts';

export const manifest: IntegrationCard = {
  name: 'github',
  title: 'GitHub',
  category: 'source-code-management',
  description: 'Repositories, pull requests, commits and reviews.',
  look: async (context) => {
    const { state, settingsURL } = await githubStatus(
      context.tx,
      context.actor.orgId,
      (await context.services.githubApps.find())?.config,
    );
    if (state === 'not_configured') return { status: 'inactive', missing: [unconfigured], links: setupLinks(context) };
    if (state === 'not_connected') return { status: 'inactive', missing: await uninstalledAccountMessages(context) };
    if (state === 'waiting_for_approval') return { status: 'inactive', missing: [waiting] };
    const links = settingsURL === null ? [] : [{ label: 'Settings on GitHub', href: settingsURL }];
    if (state === 'suspended') return { status: 'error', problem: { code: 'suspended', message: suspended }, links };
    const permissions = await findMissingPermissions(context.tx, context.actor.orgId, [
      ...([
        'contents',
        'pull_requests',
        'administration',
        'members',
        'organization_administration',
        'checks',
        'statuses',
      ] as const),
    ]);
    const health = await codeHostState(context, 'github', {
      lacked: [...permissions.sentences, ...(await suspendedAccountMessages(context))],
      none: 'The app has access to no repository. Add repositories in its settings on GitHub.',
    });
    return {
      ...health,
      links: [{ label: 'Repositories', href: '/organization/repositories' }, ...permissions.links, ...links],
    };
  },
};

const unconfigured =
  'No GitHub app is configured on this server. Its operator can set one up with a code from the command line.';
const setupLinks = ({ services, actor }: CardContext) =>
  actor.reach('manage:integrations') === undefined
    ? []
    : [{ label: 'Set up the GitHub app', href: `${services.config.PUBLIC_URL}/_/setup/github-app` }];
const waiting = 'An owner of the GitHub organization must approve the request.';
const suspended = 'The app is suspended, so no new data is imported. Resume it in its settings on GitHub.';
