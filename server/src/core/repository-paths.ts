import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { providers } from '@sightline/contract/core/providers.ts';
import { z } from 'zod';

const base = '/api/v2/repositories/:provider/:repoPath';

export interface RepositoryPaths {
  /** Registers the segments that may follow a repository path in a route. */
  add: (route: { url: string; endpoint?: Endpoint | undefined }) => void;
  /** Encodes the slashes of a repository path, so that the path is one parameter. */
  encode: (url: string) => string;
}

/**
 * Accepts repository paths with unencoded slashes. A path has at least one slash, so that a repository may have the
 * name of a following segment, such as `acme/alerts`.
 */
export function createRepositoryPaths(): RepositoryPaths {
  const endings = new Set<string>();
  let pattern: RegExp | undefined;
  const compile = () =>
    new RegExp(
      `^(/api/v2/repositories/(?:${providers.join('|')})/)([^?]*?(?:/|%2f)[^?]+?)(${[...endings].join('|')})?(\\?.*)?$`,
      'i',
    );
  return {
    add({ url, endpoint }) {
      if (!url.startsWith(`${base}/`)) return;
      endings.add(url.slice(base.length).replace(/:(\w+)/g, (_, name: string) => valuesOf(endpoint, name)));
      pattern = undefined;
    },
    encode(url) {
      pattern ??= compile();
      return url.replace(
        pattern,
        // biome-ignore lint/complexity/useMaxParams: String.replace passes the groups as parameters.
        (_, start: string, path: string, ending = '', search = '') =>
          `${start}${path.replaceAll('/', '%2F')}${ending}${search}`,
      );
    },
  };
}

/** The pattern of a route parameter: digits if its schema accepts nothing else. */
function valuesOf(endpoint: Endpoint | undefined, name: string): string {
  const schema = endpoint?.params instanceof z.ZodObject ? endpoint.params.shape[name] : undefined;
  const isNumber = schema instanceof z.ZodType && !schema.safeParse('word').success && schema.safeParse('1').success;
  return isNumber ? '\\d+' : '[^/?]+';
}
