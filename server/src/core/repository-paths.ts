import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { providers } from '@sightline/contract/core/providers.ts';
import { z } from 'zod';

const base = '/api/v2/repositories/:provider/:repoPath';

export interface RepositoryPaths {
  /** Learns from a route what may follow the path of a repository. */
  add: (route: { url: string; endpoint?: Endpoint | undefined }) => void;
  /** The address with the slashes of a repository's path encoded, so that it is one parameter. */
  encode: (url: string) => string;
}

/**
 * The path of a repository may come with its slashes plain. It has one slash at least, so that a repository may be called like
 * what follows it in a route, such as `acme/alerts`.
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

/** What a parameter of a route matches: digits where its schema takes nothing else. */
function valuesOf(endpoint: Endpoint | undefined, name: string): string {
  const schema = endpoint?.params instanceof z.ZodObject ? endpoint.params.shape[name] : undefined;
  const isNumber = schema instanceof z.ZodType && !schema.safeParse('word').success && schema.safeParse('1').success;
  return isNumber ? '\\d+' : '[^/?]+';
}
