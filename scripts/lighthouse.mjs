import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureChromium } from './chromium.mjs';
import { ensureInstalled, ensurePackages, root } from './install.mjs';
import { pinnedEnv } from './npm.mjs';
import { giveUp } from './progress.mjs';

/** `npm run lighthouse [-- --runs 3 --reports FOLDER]`: scores of the first screen. Best on a machine with nothing else to do. */
try {
  const node = await ensureInstalled();
  const chromium = await ensureChromium();
  const folder = join(root, 'web', 'lighthouse');
  await ensurePackages(folder, { doing: 'installing Lighthouse', done: 'Lighthouse installed' });
  await ensureWebBuilt(node);
  const { status } = spawnSync(node, [join(folder, 'measure.mjs'), ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...pinnedEnv(root, node), CHROMIUM_PATH: chromium },
  });
  process.exit(status ?? 1);
} catch (error) {
  giveUp(error);
}
