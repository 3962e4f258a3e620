import { type Parsed, parseQuery } from '@sightline/contract/timeline/query-language/parse.ts';
import { findsParts } from '#lib/site.ts';

/** Reads a query as the server would. */
export const readQuery = (text: string): Parsed => parseQuery(text, { parts: findsParts() });
