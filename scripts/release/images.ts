import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Images {
  /** `docker` or `podman`. */
  program: string;
  root: string;
  version: string;
  /** Arguments for the build, such as `--build-arg=NODE_IMAGE=…`. */
  buildArgs: string[];
  file: string;
}

/**
 * Writes a tar, as `docker save` does, with the image of this release and those of PostgreSQL and Redis that compose.yaml names,
 * under the tags that are in `deploy/compose.env.example`.
 */
export function writeImages({ program, root, version, buildArgs, file }: Images): void {
  const run = (...args: string[]) => execFileSync(program, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const own = `sightline:${version}`;
  run('build', '--tag', own, ...buildArgs, '.');
  const others = imagesOf(readFileSync(join(root, 'compose.yaml'), 'utf8'));
  for (const { image, tag } of others) {
    run('pull', image);
    run('tag', image, tag);
  }
  const severalImages = program.endsWith('podman') ? ['--multi-image-archive'] : [];
  run('save', ...severalImages, '--output', file, own, ...others.map(({ tag }) => tag));
}

/** The images that a compose file takes from a registry, with the names that they have without their digest. */
export function imagesOf(compose: string): { image: string; tag: string }[] {
  return [...compose.matchAll(/\$\{\w+_IMAGE:-(?<image>(?<tag>[^@\s]+)@sha256:[0-9a-f]{64})\}/g)].map(({ groups }) => ({
    image: groups?.image ?? '',
    tag: groups?.tag ?? '',
  }));
}
