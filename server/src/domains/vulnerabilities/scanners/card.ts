import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import { countText } from '../../sources/integrations/count-text.ts';
import type { CardContext, IntegrationCard, IntegrationState } from '../../sources/integrations/manifest.ts';
import { maybeScannerHealth } from './queries.ts';

/** The card of a scanner under Integrations. */
export const scannerCard = (scanner: ScannerName, description: string): IntegrationCard => ({
  name: scanner,
  title: scannerForms[scanner].title,
  category: 'security-scanners',
  description,
  flags: ['vulnerabilities'],
  look: (context) => stateOf(scanner, context),
});

async function stateOf(scanner: ScannerName, { services, tx, actor }: CardContext): Promise<IntegrationState> {
  const { tenant, apiKey } = scannerForms[scanner];
  const { baseURL, sandboxPage } = services.config.scanners[scanner];
  const defaultURL = baseURL === '' ? null : baseURL;
  const health = await maybeScannerHealth(tx, { orgId: actor.orgId, scanner });
  const isOwner = actor.reach('manage:integrations') !== undefined;
  const sandboxLinks =
    isOwner && sandboxPage ? [{ label: `Get a ${apiKey.noun} of the sandbox`, href: sandboxPage }] : [];
  const lastSyncAt = health?.lastSyncAt?.toISOString() ?? null;
  if (!health || health.status === 'inactive')
    return { status: 'inactive', lastSyncAt, links: sandboxLinks, defaultURL };
  const { status, account, hasTenant, projects, unmatched, problem, checkedAt } = health;
  return {
    status,
    detail: tenant === undefined || !hasTenant ? account : `${tenant.noun.replace(/ .*$/, '')} ${account}`,
    checkedAt: checkedAt?.toISOString() ?? null,
    lastSyncAt,
    problem,
    missing: [
      ...(lastSyncAt !== null && projects === 0
        ? [`The ${apiKey.noun} has access to no project${tenant ? ` of this ${tenant.noun.replace(/ .*$/, '')}` : ''}.`]
        : []),
      ...(unmatched > 0
        ? [`${countText(unmatched, 'project matches', 'projects match')} no repository. Their findings are not shown.`]
        : []),
    ],
    // Only owners have access to the projects.
    links: [
      ...(isOwner ? [{ label: 'Projects and sync', href: `/integrations/security-scanners/${scanner}` }] : []),
      ...(status === 'error' ? sandboxLinks : []),
    ],
    defaultURL,
  };
}
