import { existsSync } from 'node:fs';
import { root } from './install.mjs';
import { lastLines, runStep } from './progress.mjs';

/** Whether this process may install Debian packages. */
export const mayInstall = () => process.getuid?.() === 0 && existsSync('/etc/debian_version');

/** Installs Debian packages. `hint` is the instruction for the user if that fails. */
export async function aptInstall(what, packages, hint) {
  await apt('reading the package lists', 'package lists read', ['update'], hint);
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  await apt(`installing ${what}`, `${what} installed`, install, hint);
}

function apt(doing, done, args, hint) {
  return runStep({
    doing,
    done,
    program: 'apt-get',
    args,
    cwd: root,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    explain: (output) => `${lastLines(output)}\n\n    apt-get ${args[0]} failed. ${hint}`,
  });
}
