import { withValue } from '@sightline/contract/timeline/query-language/edit.ts';
import type { Key } from '@sightline/contract/timeline/query-language/keys.ts';
import { stringifySearch } from './search-params.ts';

/** The URL of Explore for events with this value. */
export const exploreHref = (key: Key, value: string): string =>
  `/explore${stringifySearch({ query: withValue('', key, value) })}`;
