import type { AlertSource } from '@sightline/contract/vulnerabilities/alert-imports.ts';
import { githubStatus } from '../../sources/github/queries.ts';
import { repositoryCountText } from '../../sources/integrations/count-text.ts';
import type { CardContext, IntegrationCard, IntegrationState } from '../../sources/integrations/manifest.ts';
import { findMissingPermissions, type GithubPermission } from '../../sources/integrations/permissions.ts';
import { countAlertReadings } from './queries.ts';

interface AlertCard extends Pick<IntegrationCard, 'name' | 'title' | 'description'> {
  source: AlertSource;
  permission: GithubPermission;
  flags?: IntegrationCard['flags'];
}

/**
 * Integration card of a GitHub alert source: alerts are imported through the GitHub connection if its permissions allow
 * it.
 */
export const githubAlertCard = ({
  name,
  title,
  description,
  source,
  permission,
  flags = [],
}: AlertCard): IntegrationCard => ({
  name,
  title,
  category: 'security-scanners',
  description,
  flags: ['vulnerabilities', ...flags],
  look: (look) => lookAt(look, source, permission),
});

async function lookAt(look: CardContext, source: AlertSource, permission: GithubPermission): Promise<IntegrationState> {
  const { tx, actor, services } = look;
  const github = await githubStatus(tx, actor.orgId, (await services.githubApps.find())?.config);
  if (!github.active) {
    return {
      status: 'inactive',
      missing: ['GitHub is not connected.'],
      links: [{ label: 'Connect GitHub', href: '/integrations/source-code-management' }],
    };
  }
  const lacked = await findMissingPermissions(tx, actor.orgId, [permission]);
  const { read, off, forbidden, failed, lastAt } = await countAlertReadings(tx, actor.orgId, source);
  const isNew = lacked.sentences.length === 0 && read + off + forbidden + failed === 0;
  const missing = [
    ...lacked.sentences,
    ...(lacked.sentences.length === 0 && forbidden > 0
      ? [`GitHub denies access to the alerts of ${repositoryCountText(forbidden)}.`]
      : []),
    ...(off > 0 ? [`${repositoryCountText(off)} ${off === 1 ? 'has' : 'have'} it disabled on GitHub.`] : []),
    ...(isNew ? ['No enabled repository was imported yet.'] : []),
  ];
  return {
    status: failed > 0 ? 'error' : read > 0 || isNew ? 'active' : 'inactive',
    detail: read > 0 ? repositoryCountText(read) : null,
    lastSyncAt: lastAt?.toISOString() ?? null,
    problem:
      failed === 0
        ? null
        : { code: 'read_failed', message: `The last import of the alerts of ${repositoryCountText(failed)} failed.` },
    missing,
    links: lacked.links,
  };
}
