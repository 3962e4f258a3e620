import { suggestedValues, type suggestValues } from '@sightline/contract/timeline/explore.ts';
import type { Key } from '@sightline/contract/timeline/query-language/keys.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { likeOf } from '#database/page.ts';
import { suggestOwners, suggestRepositories } from '../../organization/repository-access/queries.ts';
import { suggestControls } from '../events/queries.ts';

type SuggestedValues = z.output<typeof suggestValues.response>;

/**
 * Values of a qualifier that hold what is typed, those that begin with it first. Who may see their own events alone is
 * told of themselves and of the repositories they work in, and of nothing else that others did.
 */
export async function valuesOf(tx: Tx, actor: Actor, key: Key, typed: string): Promise<SuggestedValues> {
  const isOwn = actor.reach('read:events') === 'own';
  if (key === 'repo') {
    const names = await suggestRepositories(tx, actor, typed, suggestedValues);
    return names.map((value) => ({ value }));
  }
  if (key === 'org') return (await suggestOwners(tx, actor, typed, suggestedValues)).map((value) => ({ value }));
  if (key === 'actor') return [...me(typed), ...(isOwn ? [] : await people(tx, actor.orgId, typed))];
  if (key === 'control') return suggestControls(typed, suggestedValues).map((value) => ({ value }));
  return isOwn ? [] : named(tx, actor.orgId, key, typed);
}

const me = (typed: string): SuggestedValues =>
  '@me'.startsWith(typed.toLowerCase()) ? [{ value: '@me', label: '@me' }] : [];

/** One handle for each person, a login before an e-mail address, with the name they go by. */
async function people(tx: Tx, orgId: string, typed: string): Promise<SuggestedValues> {
  const rows = await tx.query<{ value: string; display: string | null }>({
    name: 'explore.people',
    text: `select value, display from (
             select distinct on (person_id) person_id, value, display, value like $3 or lower(display) like $3 as begins
             from identity
             where org_id = $1 and kind <> 'account' and (value like $2 or lower(display) like $2)
             order by person_id, kind = 'email', value) i
           order by begins desc, value limit $4`,
    values: [orgId, ...patternsOf(typed), suggestedValues],
  });
  return rows.map(({ value, display }) => ({
    value,
    ...(display !== null && display.toLowerCase() !== value && { label: `${value} · ${display}` }),
  }));
}

async function named(tx: Tx, orgId: string, field: Key, typed: string): Promise<SuggestedValues> {
  return tx.query<{ value: string }>({
    name: 'explore.values',
    text: `select value from posting_name where org_id = $1 and field = $4 and value like $2
           order by value like $3 desc, value limit $5`,
    values: [orgId, ...patternsOf(typed), field, suggestedValues],
  });
}

/** Anywhere in the value, and at its beginning. */
const patternsOf = (typed: string) => [`*${typed}*`, `${typed}*`].map((pattern) => likeOf(pattern.toLowerCase()));
