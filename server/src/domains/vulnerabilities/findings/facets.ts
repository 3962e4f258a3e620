import type { FindingConditions } from './conditions.ts';
import type { FindingScope } from './scope.ts';

/** Values of findings with stored counts and an index that lists walk along. */
export type Facet = 'assignee' | 'component' | 'label';

/** The single condition of a list of all repositories: counts of the organization by its values apply. */
export interface FacetCondition {
  facet: Facet;
  values: readonly string[];
}

/**
 * Returns the condition of a list that has no other one. Undefined for several labels, because a finding may have more
 * than one of them, and for findings without an assignee, which no index contains.
 */
export function facetOf(scope: FindingScope): FacetCondition | undefined {
  const conditions = soleConditionOf(scope);
  if (!conditions) return undefined;
  const { assignees, components, labels } = conditions;
  const ids = assignees?.filter((id) => id !== null);
  if (ids && ids.length === assignees?.length) return { facet: 'assignee', values: ids };
  if (components) return { facet: 'component', values: components };
  return labels?.length === 1 ? { facet: 'label', values: labels } : undefined;
}

/** Returns the conditions of a list if there is exactly one, in all repositories and without a search or a rule. */
export function soleConditionOf({ only, titles, conditions = {} }: FindingScope): FindingConditions | undefined {
  const count = Object.values(conditions).filter((condition) => condition !== undefined).length;
  return only || titles || count !== 1 ? undefined : conditions;
}
