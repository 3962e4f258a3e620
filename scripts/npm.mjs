import { delimiter, join } from 'node:path';

/**
 * How to run npm: the one that runs us, with the Node it came with. `npm start` puts node_modules/.bin first in PATH,
 * and the Node in there is deleted while `npm ci` works.
 */
export function npmCommand(args, root) {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script && node && !isInside(node, root)) return { program: node, args: [script, ...args] };
  return { program: process.platform === 'win32' ? 'npm.cmd' : 'npm', args };
}

/** The environment without the checkout's own programs in PATH. */
export function outsideEnv(root) {
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !isInside(entry, root));
  return { ...process.env, PATH: path.join(delimiter) };
}

/**
 * The environment with the pinned Node, and the programs the packages bring, first in PATH. Compiled code is kept between
 * runs, which halves the time until a program of ours does something.
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
