import { repositoriesOf } from '../../../sources/integrations/count-text.ts';
import type { IntegrationCard } from '../../../sources/integrations/manifest.ts';
import { scannedBy } from '../scanned.ts';

export const manifest: IntegrationCard = {
  name: 'sarif',
  title: 'SARIF upload',
  category: 'security-scanners',
  description: 'Results of any scanner with SARIF 2.1.0 output, uploaded by a build or manually.',
  flags: ['vulnerabilities'],
  look: async ({ tx, actor }) => {
    const { repositories, failed, lastAt } = await scannedBy(tx, actor.orgId, 'sarif');
    return {
      status: failed > 0 ? 'error' : repositories > 0 ? 'active' : 'inactive',
      detail: repositories > 0 ? repositoriesOf(repositories) : null,
      lastSyncAt: lastAt?.toISOString() ?? null,
      problem:
        failed === 0
          ? null
          : { code: 'upload_failed', message: `The last upload for ${repositoriesOf(failed)} failed.` },
      missing: repositories === 0 ? ['No uploads.'] : [],
      links: [{ label: 'Choose a repository', href: '/repositories' }],
    };
  },
};
