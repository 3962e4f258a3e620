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
 * Writes a tar like `docker save`, with the image of this release and those of PostgreSQL and Redis that compose.yaml
 * names, under the tags in `deploy/compose.env.example`.
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

/** Returns the images that a compose file pulls from a registry, with their names without the digest. */
export function imagesOf(compose: string): { image: string; tag: string }[] {
  return [...compose.matchAll(/\$\{\w+_IMAGE:-(?<image>(?<tag>[^@\s]+)@sha256:[0-9a-f]{64})\}/g)].map(({ groups }) => ({
    image: groups?.image ?? '',
    tag: groups?.tag ?? '',
  }));
}
