import type { FindingConditions } from './conditions.ts';
import type { FindingScope } from './scope.ts';

/** Values of findings with stored counts and an index that lists walk along. */
export type Facet = 'assignee' | 'component' | 'label';

export interface FacetCondition {
  facet: Facet;
  values: readonly string[];
}

/**
 * Returns the condition of a list that an index leads along. Undefined for several labels, because a finding may have
 * more than one of them, and for findings without an assignee, which no index contains.
 */
export function facetOf({ conditions = {} }: Pick<FindingScope, 'conditions'>): FacetCondition | undefined {
  const { assignees, components, labels, fixedFrom, introducedBy } = conditions;
  if (components) return { facet: 'component', values: components };
  const ids = assignees?.filter((id) => id !== null);
  if (ids && ids.length === assignees?.length) return { facet: 'assignee', values: ids };
  // The rows of labels contain no more columns than repository, title, lane and day of discovery.
  const isOutsideOfLabels = assignees !== undefined || fixedFrom !== undefined || introducedBy !== undefined;
  return labels?.length === 1 && !isOutsideOfLabels ? { facet: 'label', values: labels } : undefined;
}

/** Returns the conditions of a list if there is exactly one, in all repositories and without a search or a rule. */
export function soleConditionOf({ only, titles, conditions = {} }: FindingScope): FindingConditions | undefined {
  const count = Object.values(conditions).filter((condition) => condition !== undefined).length;
  return only || titles || count !== 1 ? undefined : conditions;
}

const conditionOf = { assignee: 'assignees', component: 'components', label: 'labels' } as const;

/** Returns the conditions without the one that an index leads along. */
export const withoutFacet = (conditions: FindingConditions | undefined, facet: Facet): FindingConditions | undefined =>
  conditions && { ...conditions, [conditionOf[facet]]: undefined };
