import type { ScanSource } from '@sightline/contract/scans.ts';
import { githubStatus } from '../github/queries.ts';
import type { Look, Manifest, State } from './manifest.ts';
import { type GithubPermission, lackedBy } from './permissions.ts';
import { scannedBy } from './scanned.ts';
import { repositoriesOf } from './words.ts';

interface Alerts extends Pick<Manifest, 'name' | 'title' | 'description'> {
  source: ScanSource;
  permission: GithubPermission;
  flags?: Manifest['flags'];
}

/** Alerts of GitHub: they come in with the connection to GitHub, where it may read them. */
export const githubAlerts = ({ name, title, description, source, permission, flags = [] }: Alerts): Manifest => ({
  name,
  title,
  category: 'security-scanners',
  description,
  flags: ['vulnerabilities', ...flags],
  look: (look) => lookAt(look, source, permission),
});

async function lookAt(look: Look, source: ScanSource, permission: GithubPermission): Promise<State> {
  const { tx, actor, services } = look;
  const github = await githubStatus(tx, actor.orgId, services.config.github);
  if (!github.active) {
    return {
      status: 'inactive',
      missing: ['GitHub is not connected.'],
      links: [{ label: 'Connect GitHub', href: '/integrations/source-code-management' }],
    };
  }
  const lacked = await lackedBy(tx, actor.orgId, [permission]);
  const { repositories, failed, lastAt } = await scannedBy(tx, actor.orgId, source);
  const closed = lacked.length > 0 && repositories === 0;
  return {
    status: failed > 0 ? 'error' : closed ? 'inactive' : 'active',
    detail: repositories > 0 ? repositoriesOf(repositories) : null,
    lastSyncAt: lastAt?.toISOString() ?? null,
    problem:
      failed === 0
        ? null
        : { code: 'read_failed', message: `The alerts of ${repositoriesOf(failed)} could not be read last time.` },
    missing: [...lacked, ...(repositories === 0 && lacked.length === 0 ? ['No repository has reported any yet.'] : [])],
    links:
      lacked.length > 0 && github.settingsURL !== null
        ? [{ label: 'Settings on GitHub', href: github.settingsURL }]
        : [],
  };
}
