import type { EventKind } from '@sightline/contract/timeline/events.ts';
import type { QualifierValue } from '@sightline/contract/timeline/query-language/ast.ts';
import { type ControlId, controlIds } from '@sightline/evidence/controls/catalog.ts';
import type { ControlDefinition } from '@sightline/evidence/controls/control.ts';
import { controls } from '@sightline/evidence/controls/control-list.ts';
import { factId } from '#core/ids.ts';
import type { Database } from '#database/database.ts';
import { and, noEvents, not, or, type StoreCondition } from '../store/condition.ts';
import { directSql } from '../store/tests.ts';
import { hashTerm } from '../terms.ts';

const MAX_SELF_APPROVED_MERGES = 1000;
const MAX_DIRECT_COMMITS = 1000;
const mergeEvent = (repositoryId: string, number: number) => factId('pull_request.merged', repositoryId, number);

const merges: StoreCondition = { is: 'terms', any: [hashTerm('status\nmerged')] };
const kinds = (...any: EventKind[]): StoreCondition => ({ is: 'column', column: 'kind', any });

/** The events of the items that a control evaluates; none for items without events, such as days. */
function eventsOf(id: ControlId): StoreCondition {
  const { events }: ControlDefinition = controls[id];
  const [merge, others] = [events.includes('merge'), events.filter((event) => event !== 'merge')];
  return or(...(merge ? [merges] : []), ...(others.length > 0 ? [kinds(...others)] : []));
}
const eventsByControl = new Map(controlIds.map((id) => [id, eventsOf(id)]));

/** Names of controls: their ID, and each mapped requirement as `framework/requirement`. */
const controlsByName: readonly { name: string; id: ControlId }[] = controlIds.flatMap((id) => [
  { name: id, id },
  ...Object.entries(controls[id].crosswalk).flatMap(([framework, of]) =>
    of.map((requirement) => ({ name: `${framework}/${requirement}`, id })),
  ),
]);

/** The distinct names of all controls. */
export const controlNames: readonly string[] = [...new Set(controlsByName.map(({ name }) => name))];

/** The events that the controls with these names evaluate; an asterisk matches any part of a name. */
export function eventsEvaluatedBy(values: readonly QualifierValue[]): StoreCondition {
  const found = controlsByName.filter(({ name }) => values.some((value) => fits(name, value)));
  return or(...new Set(found.map(({ id }) => eventsByControl.get(id) ?? noEvents)));
}

function fits(name: string, { text, wild }: QualifierValue): boolean {
  const parts = (wild ? text.split(/\*+/) : [text]).map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'i').test(name);
}

/** Merges whose last record has no review. Merges with a review event are excluded without reading their record. */
export const unreviewedMerges: StoreCondition = and(merges, not({ is: 'terms', any: [hashTerm('has\nreview')] }), {
  is: 'recorded',
  as: 'unreviewed',
});

/** Merges whose last record is incomplete for a control. */
export const mergesWithIncompleteRecord: StoreCondition = and(merges, { is: 'recorded', as: 'gap' });

/** The events of merges that, by their last record, only contributors to the change approved. */
export async function selfApprovedMerges(database: Database, orgId: string): Promise<StoreCondition> {
  const rows = await database.onceWithOrg<{ repository: string; number: number }>(orgId, {
    name: 'events.selfApproved',
    text: ` select m.repository_id as repository, m.number from tenant cross join lateral (
              select repository_id, number from change_record c
              where org_id = tenant.org and self_approved and number is not null
                and not exists (select from change_record n where n.org_id = c.org_id and n.id = c.id and n.version > c.version)
              limit $2 offset 0) m`,
    values: [MAX_SELF_APPROVED_MERGES + 1],
  });
  // A few are selected by ID. If there are many, testing the record of each merge fills a page quickly.
  if (rows.length > MAX_SELF_APPROVED_MERGES) return and(merges, { is: 'recorded', as: 'self-approved' });
  return { is: 'column', column: 'id', any: rows.map(({ repository, number }) => mergeEvent(repository, number)) };
}

/** The events of commits that a push took to a branch without a pull request, by the last record of each. */
export async function directCommits(database: Database, orgId: string): Promise<StoreCondition> {
  const rows = await database.onceWithOrg<{ repository: string; sha: string }>(orgId, {
    name: 'events.direct',
    text: ` select d.repository_id as repository, d.sha from tenant cross join lateral (
              select r.repository_id, r.sha from reached_commit r where r.org_id = tenant.org and ${directSql('r')}
              limit $2 offset 0) d`,
    values: [MAX_DIRECT_COMMITS + 1],
  });
  // As for self-approved merges. Commits of several branches are listed once for each.
  if (rows.length > MAX_DIRECT_COMMITS) return and(kinds('commit'), { is: 'direct' });
  return { is: 'column', column: 'id', any: rows.map(({ repository, sha }) => factId('commit', repository, sha)) };
}
