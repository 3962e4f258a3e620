import { type Parsed, parseQuery } from '@sightline/contract/timeline/query-language/parse.ts';
import { supportsPartialWords } from '#lib/site.ts';

/** Parses a query with the same options as the server. */
export const readQuery = (text: string): Parsed => parseQuery(text, { infixWildcards: supportsPartialWords() });
