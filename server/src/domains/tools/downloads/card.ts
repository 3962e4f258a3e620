import type { ExtensionSide } from '@sightline/contract/identity/extensions.ts';
import type { Download } from '@sightline/contract/tools/downloads.ts';
import { countConnected } from '../../identity/extensions/queries.ts';
import type { IntegrationCard } from '../../sources/integrations/manifest.ts';
import { downloadFolders, listDownloadFiles } from './queries.ts';

type DownloadTarget = Download['target'];

export const browserExtension = (name: DownloadTarget, title: string): IntegrationCard => ({
  name,
  title,
  category: 'browser-extensions',
  description: 'Reports which sites contributed to a change. Sends no pages and no code.',
  look: createLook(name, 'browser', name),
});

export const editorExtension = (name: DownloadTarget, title: string): IntegrationCard => ({
  name,
  title,
  category: 'ide-extensions',
  description: 'Reports which tools contributed to a change. Sends no code.',
  // One package for all editors based on Visual Studio Code.
  look: createLook(name, 'ide'),
});

const createLook =
  (target: DownloadTarget, side: ExtensionSide, type?: string): IntegrationCard['look'] =>
  async ({ services, tx, actor }) => {
    const { people, lastUsedAt } = await countConnected(tx, actor.orgId, side, type);
    const links = [{ label: 'Get extension', href: '/account#downloads' }];
    if (people > 0) {
      const detail = people === 1 ? 'connected by one person' : `connected by ${people} people`;
      return { status: 'active', detail, lastSyncAt: lastUsedAt, links };
    }
    const [newest] = (await listDownloadFiles(downloadFolders(services.config))).filter(
      (file) => file.target === target,
    );
    return newest === undefined
      ? { status: 'inactive', missing: ['This server offers no build of it.'] }
      : { status: 'inactive', missing: ['No connections.'], links };
  };
