import type { Page } from '@sightline/contract/core/endpoint.ts';
import { type Expression, type SelectQueryBuilder, sql } from 'kysely';

/** Runs a list query for one page and counts all rows, so that a page past the end has the total as well. */
export async function fetchPage<Db, TB extends keyof Db, Row>(
  query: SelectQueryBuilder<Db, TB, Row>,
  { page, perPage }: { page: number; perPage: number },
): Promise<Page<Row[]>> {
  const rows = await query
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  const [counted] = await query.clearSelect().clearOrderBy().select(sql<number>`count(*)`.as('total')).execute();
  return { rows, total: Number((counted as { total: number } | undefined)?.total) };
}

/** The pattern of ILIKE for texts that contain `text`: treats `%`, `_` and `\` literally. */
export const containedPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** A case-insensitive substring match. */
export const containsText = (column: Expression<string>, text: string) =>
  sql<boolean>`${column} ilike ${containedPattern(text)}`;

/** Converts a pattern with asterisks as wildcards to the syntax of LIKE. */
export const likePatternOf = (pattern: string): string => pattern.replaceAll(/[\\%_]/g, '\\$&').replaceAll(/\*+/g, '%');
