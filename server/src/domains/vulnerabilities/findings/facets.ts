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
  const { assignees, components } = conditions;
  if (components) return { facet: 'component', values: components };
  const ids = assignees?.filter((id) => id !== null);
  if (ids && ids.length === assignees?.length) return { facet: 'assignee', values: ids };
  const labels = labelsOf({ conditions });
  return labels?.length === 1 ? { facet: 'label', values: labels } : undefined;
}

/** Returns the labels of a list whose other conditions the rows of labels can answer. */
export const labelsOf = (scope: Pick<FindingScope, 'conditions'>): readonly string[] | undefined =>
  hasLabelColumnsOnly(scope) ? scope.conditions?.labels : undefined;

/** Whether the conditions beside labels are on repository, title, lane and day of discovery, which the rows of labels contain. */
export function hasLabelColumnsOnly({ conditions = {} }: Pick<FindingScope, 'conditions'>): boolean {
  const { assignees, components, fixedFrom, introducedBy } = conditions;
  return [assignees, components, fixedFrom, introducedBy].every((other) => other === undefined);
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
