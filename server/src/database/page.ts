import type { Page } from '@sightline/contract/endpoint.ts';
import { type Expression, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from './database.ts';

/** Runs a list query for one page and counts it whole, so that a page past the end still knows the total. */
export async function page<TB extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, TB, Row>,
  { page, perPage }: { page: number; perPage: number },
): Promise<Page<Row[]>> {
  const rows = await query
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  const { total } = await query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

/** A case-insensitive substring match that takes `%`, `_` and `\` literally. */
export const contains = (column: Expression<string>, text: string) =>
  sql<boolean>`${column} ilike ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`;
