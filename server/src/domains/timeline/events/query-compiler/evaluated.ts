import type { EventKind } from '@sightline/contract/timeline/events.ts';
import type { QualifierValue } from '@sightline/contract/timeline/query-language/ast.ts';
import { type ControlId, controlIds, controls } from '@sightline/evidence/controls/catalog.ts';
import { factId } from '#core/ids.ts';
import type { Database } from '#database/database.ts';
import { and, none, not, or, type StoreCondition } from '../store/condition.ts';
import { termOf } from '../terms.ts';

const most = 1000;
const mergeEvent = (repositoryId: string, number: number) => factId('pull_request.merged', repositoryId, number);

const merges: StoreCondition = { is: 'terms', any: [termOf('status\nmerged')] };
const kinds = (...any: EventKind[]): StoreCondition => ({ is: 'column', column: 'kind', any });

/** The events that tell of what a control judges; none where it judges what no event tells of, such as days. */
const events: Readonly<Record<ControlId, StoreCondition>> = {
  'CHG-01': merges,
  'CHG-02': kinds('commit'),
  'CHG-03': merges,
  'CHG-04': none,
  'CHG-05': merges,
  'CHG-06': merges,
  'SCN-01': merges,
  'SCN-02': kinds('vulnerability'),
  'VUL-01': kinds('vulnerability'),
  'VUL-02': kinds('vulnerability'),
  'EXC-01': kinds('exception'),
  'TOL-01': kinds('tool'),
  'COV-01': kinds('commit'),
  'ACC-01': kinds('commit', 'pull_request'),
  'ACC-02': kinds('member'),
  'AI-01': merges,
  'LOG-01': none,
  'DIG-01': none,
};

/** What controls go by: the id of each, and every requirement it gives evidence for as `framework/requirement`. */
const named: readonly { name: string; id: ControlId }[] = controlIds.flatMap((id) => [
  { name: id, id },
  ...Object.entries(controls[id].crosswalk).flatMap(([framework, of]) =>
    of.map((requirement) => ({ name: `${framework}/${requirement}`, id })),
  ),
]);

/** Every name of a control, each once. */
export const controlNames: readonly string[] = [...new Set(named.map(({ name }) => name))];

/** What the controls of these names judge; an asterisk stands for any part of a name. */
export function evaluatedBy(values: readonly QualifierValue[]): StoreCondition {
  const found = named.filter(({ name }) => values.some((value) => fits(name, value)));
  return or(...new Set(found.map(({ id }) => events[id])));
}

function fits(name: string, { text, wild }: QualifierValue): boolean {
  const parts = (wild ? text.split(/\*+/) : [text]).map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'i').test(name);
}

/** Merges of which the last record says that nobody reviewed them. Merges with a review are passed over without a look at it. */
export const unreviewed: StoreCondition = and(merges, not({ is: 'terms', any: [termOf('has\nreview')] }), {
  is: 'recorded',
  as: 'unreviewed',
});

/** Merges of which the last record lacks something that a control needs. */
export const withGap: StoreCondition = and(merges, { is: 'recorded', as: 'gap' });

/** The events of merges of which the last record says that nobody approved them but who had a part in them. */
export async function selfApproved(database: Database, orgId: string): Promise<StoreCondition> {
  const rows = await database.onceWithOrg<{ repository: string; number: number }>(orgId, {
    name: 'events.selfApproved',
    text: ` select m.repository_id as repository, m.number from tenant cross join lateral (
              select repository_id, number from change_record c
              where org_id = tenant.org and self_approved and number is not null
                and not exists (select from change_record n where n.org_id = c.org_id and n.id = c.id and n.version > c.version)
              limit $2 offset 0) m`,
    values: [most + 1],
  });
  // Few are found by name; where they are many, a look at the record of each merge finds a page of them soon.
  if (rows.length > most) return and(merges, { is: 'recorded', as: 'self-approved' });
  return { is: 'column', column: 'id', any: rows.map(({ repository, number }) => mergeEvent(repository, number)) };
}
