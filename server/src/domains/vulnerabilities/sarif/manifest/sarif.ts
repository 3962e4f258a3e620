import { repositoryCountText } from '../../../sources/integrations/count-text.ts';
import type { IntegrationCard } from '../../../sources/integrations/manifest.ts';
import { summarizeSource } from '../source-summary.ts';

export const manifest: IntegrationCard = {
  name: 'sarif',
  title: 'SARIF upload',
  category: 'security-scanners',
  description: 'Results of any scanner with SARIF 2.1.0 output, uploaded by a build or manually.',
  flags: ['vulnerabilities'],
  look: async ({ tx, actor }) => {
    const { repositories, failed, lastAt } = await summarizeSource(tx, actor.orgId, 'sarif');
    return {
      status: failed > 0 ? 'error' : repositories > 0 ? 'active' : 'inactive',
      detail: repositories > 0 ? repositoryCountText(repositories) : null,
      lastSyncAt: lastAt?.toISOString() ?? null,
      problem:
        failed === 0
          ? null
          : { code: 'upload_failed', message: `The last upload for ${repositoryCountText(failed)} failed.` },
      missing: repositories === 0 ? ['No uploads.'] : [],
      links: [{ label: 'Choose a repository', href: '/repositories' }],
    };
  },
};
