import { hash } from 'node:crypto';

/** The number of path segments that a key covers: a longer path is compared by its end. */
export const KEY_SEGMENTS = 8;

/** The key of a path relative to a repository, or of the end of a path, so that paths can be compared without storing them. */
export const pathKeyOf = (path: string): string =>
  hash('sha256', `file\n${path.split('/').slice(-KEY_SEGMENTS).join('/')}`, 'hex').slice(0, 32);
