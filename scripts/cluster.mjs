import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, root } from './install.mjs';
import { prepareMachine, programs } from './machine-programs.mjs';
import { pinnedEnv } from './npm.mjs';
import { giveUp } from './progress.mjs';

/**
 * Tests two servers and a worker behind nginx, on the PostgreSQL and Redis of Debian. Skips with one line if they are
 * missing.
 */
try {
  const node = await ensureInstalled();
  const reason = await prepareMachine(programs);
  if (reason !== undefined) {
    console.log(`  – the walk through several processes is skipped: ${reason}`);
    process.exit();
  }
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const config = 'vitest.cluster.config.ts';
  const { status } = spawnSync(node, [vitest, 'run', '--config', config, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: pinnedEnv(root, node),
  });
  process.exit(status ?? 1);
} catch (error) {
  giveUp(error);
}
