import { suggestedValues, type suggestValues } from '@sightline/contract/timeline/explore.ts';
import type { Key } from '@sightline/contract/timeline/query-language/keys.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { likePatternOf } from '#database/page.ts';
import { suggestOwners, suggestRepositories } from '../../organization/repository-access/queries.ts';
import { suggestControls } from '../events/queries.ts';

type SuggestedValues = z.output<typeof suggestValues.response>;

/**
 * Values of a qualifier that contain the typed text, prefix matches first. Members who may only see their own events
 * get themselves and the repositories they work in, and no activity of others.
 */
export async function findSuggestedValues(tx: Tx, actor: Actor, key: Key, typed: string): Promise<SuggestedValues> {
  const isOwn = actor.reach('read:events') === 'own';
  if (key === 'repo') {
    const names = await suggestRepositories(tx, actor, typed, suggestedValues);
    return names.map((value) => ({ value }));
  }
  if (key === 'org') return (await suggestOwners(tx, actor, typed, suggestedValues)).map((value) => ({ value }));
  if (key === 'actor') return [...me(typed), ...(isOwn ? [] : await peopleMatching(tx, actor.orgId, typed))];
  if (key === 'control') return suggestControls(typed, suggestedValues).map((value) => ({ value }));
  return isOwn ? [] : storedValues(tx, actor.orgId, key, typed);
}

const me = (typed: string): SuggestedValues =>
  '@me'.startsWith(typed.toLowerCase()) ? [{ value: '@me', label: '@me' }] : [];

/** One handle per person, a login before an email address, with the display name. */
async function peopleMatching(tx: Tx, orgId: string, typed: string): Promise<SuggestedValues> {
  const rows = await tx.query<{ value: string; display: string | null }>({
    name: 'explore.people',
    text: `select f.value, d.name as display from (
             select person_id, value, begins from (
               select distinct on (person_id) person_id, value, value like $3 or lower(display) like $3 as begins
               from identity
               where org_id = $1 and kind <> 'account' and (value like $2 or lower(display) like $2)
               order by person_id, kind = 'email', value) i
             order by begins desc, value limit $4) f
           left join lateral person_display($1, f.person_id) d on true
           order by f.begins desc, f.value`,
    values: [orgId, ...patternsOf(typed), suggestedValues],
  });
  return rows.map(({ value, display }) => ({
    value,
    ...(display !== null && display.toLowerCase() !== value && { label: `${value} · ${display}` }),
  }));
}

async function storedValues(tx: Tx, orgId: string, field: Key, typed: string): Promise<SuggestedValues> {
  return tx.query<{ value: string }>({
    name: 'explore.values',
    text: `select value from posting_name where org_id = $1 and field = $4 and value like $2
           order by value like $3 desc, value limit $5`,
    values: [orgId, ...patternsOf(typed), field, suggestedValues],
  });
}

/** LIKE patterns for any position, and for the start of the value. */
const patternsOf = (typed: string) =>
  [`*${typed}*`, `${typed}*`].map((pattern) => likePatternOf(pattern.toLowerCase()));
