import type { IntegrationCard } from '../../../sources/integrations/manifest.ts';
import { repositoriesOf } from '../../../sources/integrations/words.ts';
import { scannedBy } from '../scanned.ts';

export const manifest: IntegrationCard = {
  name: 'sarif',
  title: 'SARIF upload',
  category: 'security-scanners',
  description: 'Results of any scanner that writes SARIF 2.1.0, from a build or by hand.',
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
          : { code: 'upload_failed', message: `The last upload for ${repositoriesOf(failed)} could not be taken in.` },
      missing: repositories === 0 ? ['Nothing has been uploaded yet.'] : [],
      links: [{ label: 'Choose a repository', href: '/repositories' }],
    };
  },
};
