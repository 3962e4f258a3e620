import { withValue } from '@sightline/contract/query-language/edit.ts';
import type { Key } from '@sightline/contract/query-language/keys.ts';

/** The address of Explore where it shows what has this value. */
export const exploreHref = (key: Key, value: string): string =>
  `/explore?${new URLSearchParams({ query: withValue('', key, value) })}`;
