import { delimiter, join } from 'node:path';

/**
 * Returns how to run npm: the npm that runs this process, with its own Node. `npm start` puts node_modules/.bin first
 * in PATH, and `npm ci` deletes the Node in there.
 */
export function npmCommand(args, root) {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script && node && !isInside(node, root)) return { program: node, args: [script, ...args] };
  return { program: process.platform === 'win32' ? 'npm.cmd' : 'npm', args };
}

/** Returns the environment without the programs of the checkout in PATH. */
export function outsideEnv(root) {
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !isInside(entry, root));
  return { ...process.env, PATH: path.join(delimiter) };
}

/**
 * Returns the environment with the pinned Node and the programs of the packages first in PATH. It caches compiled code
 * between runs, which halves the startup time of programs.
 */
export function pinnedEnv(root, node) {
  const first = [join(node, '..'), join(root, 'node_modules', '.bin')];
  return {
    NODE_COMPILE_CACHE: join(root, '.cache', 'node'),
    ...process.env,
    PATH: [...first, process.env.PATH ?? ''].join(delimiter),
  };
}

function isInside(path, root) {
  return path.startsWith(join(root, 'node_modules'));
}
