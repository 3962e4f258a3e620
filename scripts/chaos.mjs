import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, root } from './install.mjs';
import { prepareMachine, programs } from './machine-programs.mjs';
import { pinnedEnv } from './npm.mjs';
import { explained, giveUp } from './progress.mjs';

/** `npm run chaos [MINUTES]`: an installation of several processes under load, with one fault after another. */
try {
  const minutes = Number(process.argv[2] ?? 10);
  if (!(minutes > 0)) throw explained(`Minutes are a number, not ${process.argv[2]}`);
  const node = await ensureInstalled();
  const faketime = { name: 'libfaketime', packages: 'faketime', at: ['/usr/lib/x86_64-linux-gnu/faketime'] };
  const reason =
    process.getuid?.() === 0 ? await prepareMachine([...programs, faketime]) : 'it mounts a disk, as root.';
  if (reason !== undefined) {
    console.log(`  – chaos is skipped: ${reason}`);
    process.exit();
  }
  const program = join(root, 'server', 'src', 'cluster', 'testing', 'chaos', 'main.ts');
  const { status } = spawnSync(node, [program, String(minutes)], {
    cwd: root,
    stdio: 'inherit',
    env: pinnedEnv(root, node),
  });
  process.exit(status ?? 1);
} catch (error) {
  giveUp(error);
}
