import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, zip } from 'wxt';

const root = import.meta.dirname;

if (process.argv.includes('--chrome')) {
  await build({ root, browser: 'chrome' });
} else {
  rmSync(join(root, '.output'), { recursive: true, force: true });
  // Sequential, since the builds share the folder of generated types.
  for (const browser of ['chrome', 'firefox', 'edge', 'opera', 'brave']) await zip({ root, browser });
}
