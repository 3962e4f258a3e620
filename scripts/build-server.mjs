import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hashSources } from './build-web.mjs';
import { ensureInstalled, isBuilt, root } from './install.mjs';
import { pinnedEnv } from './npm.mjs';
import { giveUp, lastLines, runStep } from './progress.mjs';

const inputs = [
  'package-lock.json',
  ...['server', 'contract', 'evidence', 'sandbox'].map((workspace) => `${workspace}/package.json`),
  'server/src',
  'contract/src',
  'evidence/src',
  'sandbox/src',
  'scripts/bundle-server.mjs',
];

/** Builds the bundles of server, commands and sandbox into server/dist unless they are up to date with their sources. */
export async function ensureServerBuilt(node) {
  const stampPath = join(root, 'server', 'dist', '.stamp');
  const stamp = hashSources(inputs);
  if (isBuilt(stampPath, stamp)) return;
  await runStep({
    doing: 'building the server',
    done: 'server built',
    program: node,
    args: [join(root, 'scripts', 'bundle-server.mjs')],
    cwd: root,
    env: pinnedEnv(root, node),
    explain: (output) => `${lastLines(output)}\n\n    The server could not be built.`,
  });
  writeFileSync(stampPath, stamp);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await ensureServerBuilt(await ensureInstalled());
  } catch (error) {
    giveUp(error);
  }
}
