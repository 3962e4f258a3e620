import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const bundles = join(checkout, 'server', 'dist');
const sources = { cli: 'server/src/cli/main.ts', sandbox: 'sandbox/src/main.ts' };

/** The path of a program: its bundle if the running program is one (`npm run build`), its source otherwise. */
export function pathOfProgram(name: keyof typeof sources): string {
  const isBundle = dirname(process.argv[1] ?? '') === bundles;
  return isBundle ? join(bundles, `${name}.mjs`) : join(checkout, sources[name]);
}
