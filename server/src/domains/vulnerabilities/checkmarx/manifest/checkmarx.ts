import { countText } from '../../../sources/integrations/count-text.ts';
import type { IntegrationCard } from '../../../sources/integrations/manifest.ts';
import { maybeCheckmarxHealth } from '../queries.ts';

export const manifest: IntegrationCard = {
  name: 'checkmarx',
  title: 'Checkmarx One',
  category: 'security-scanners',
  description: 'Findings of SAST, SCA, IaC, container and secret scans.',
  flags: ['vulnerabilities'],
  look: async ({ services, tx, actor }) => {
    const { baseURL: defaultURL, sandboxPage } = services.config.checkmarx;
    const health = await maybeCheckmarxHealth(tx, actor.orgId);
    const isOwner = actor.reach('manage:integrations') !== undefined;
    const sandboxLinks = isOwner && sandboxPage ? [{ label: 'Get a key of the sandbox', href: sandboxPage }] : [];
    const lastSyncAt = health?.lastSyncAt?.toISOString() ?? null;
    if (!health || health.status === 'inactive')
      return { status: 'inactive', lastSyncAt, links: sandboxLinks, defaultURL };
    const { status, tenant, projects, unmatched, problem, checkedAt } = health;
    return {
      status,
      detail: `tenant ${tenant}`,
      checkedAt: checkedAt?.toISOString() ?? null,
      lastSyncAt,
      problem,
      missing: [
        ...(lastSyncAt !== null && projects === 0 ? ['The key has access to no project of this tenant.'] : []),
        ...(unmatched > 0
          ? [
              `${countText(unmatched, 'project matches', 'projects match')} no repository. Their findings are not shown.`,
            ]
          : []),
      ],
      // Only owners have access to the projects.
      links: [
        ...(isOwner ? [{ label: 'Projects and sync', href: '/integrations/security-scanners/checkmarx' }] : []),
        ...(status === 'error' ? sandboxLinks : []),
      ],
      defaultURL,
    };
  },
};
