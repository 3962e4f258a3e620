import type { Predicate, QualifierValue } from '@sightline/contract/timeline/query-language/ast.ts';
import { qualifierDefinition } from '@sightline/contract/timeline/query-language/keys.ts';
import type { EventField } from '../new-event.ts';
import { allEvents, and, not, or, type ShareBound, type StoreCondition } from '../store/condition.ts';
import { hashTerm } from '../terms.ts';
import { termsMatchingPatterns } from './dictionary.ts';
import { type QueryScene, valueTextsOf } from './scene.ts';

/** The condition on the values of a field. */
export async function fieldCondition(
  { services, actor }: QueryScene,
  field: EventField,
  test: Predicate,
): Promise<StoreCondition> {
  switch (test.kind) {
    case 'exists':
      return field === 'source' ? allEvents : presenceCondition(field);
    case 'any': {
      const [wild, plain] = [true, false].map((is) =>
        test.values.flatMap(({ text, wild = false }) => (wild === is ? indexedValue(field, text.toLowerCase()) : [])),
      ) as [string[], string[]];
      const expanded =
        wild.length === 0 ? [] : await termsMatchingPatterns(services.database, actor.orgId, field, wild);
      const any = [...new Set([...plain.map((value) => hashTerm(`${field}\n${value}`)), ...expanded])];
      // The row also contains the source, which is cheaper to test for exact values.
      return field === 'source' && wild.length === 0 && plain.length > 0
        ? { is: 'column', column: 'source', any: plain, terms: any }
        : { is: 'terms', any };
    }
    case 'compare':
    case 'range':
      return { is: 'terms', any: comparedValues(field, test).map((value) => hashTerm(`${field}\n${value}`)) };
  }
}

/** The indexed format: CWE numbers without prefix, CVE and GHSA numbers with prefix. */
function indexedValue(field: EventField, text: string): string {
  if (field === 'cwe') return text.replace(/^cwe-?/, '').replace(/^0+(?=\d)/, '');
  const isNumber = /^\d/.test(text);
  return (field === 'cve' || field === 'ghsa') && isNumber ? `${field}-${text}` : text;
}

/** The values that satisfy a comparison; the first value of the field is the highest. */
function comparedValues(field: EventField, test: Predicate & { kind: 'compare' | 'range' }): readonly string[] {
  const values = qualifierDefinition(field).values ?? [];
  const rankOf = (value: QualifierValue) => values.indexOf(value.text);
  if (test.kind === 'range') {
    const ends = [test.from ? rankOf(test.from) : values.length - 1, test.to ? rankOf(test.to) : 0];
    return values.slice(Math.min(...ends), Math.max(...ends) + 1);
  }
  const at = rankOf(test.value);
  switch (test.operator) {
    case '>=':
      return values.slice(0, at + 1);
    case '>':
      return values.slice(0, at);
    case '<=':
      return values.slice(at);
    case '<':
      return values.slice(at + 1);
  }
}

/** The condition on the confidence of agent attribution, or on the share of lines by agents. */
export function agentCondition(test: Predicate): StoreCondition {
  if (test.kind === 'exists') return presenceCondition('ai');
  if (test.kind === 'any') return or(...valueTextsOf(test).map(byAgents));
  const end = (value: QualifierValue | null, included = true) => value && { share: Number(value.text), included };
  const share = (from: ShareBound | null, to: ShareBound | null) =>
    and(presenceCondition('ai'), { is: 'share', from, to });
  if (test.kind === 'range') return share(end(test.from), end(test.to));
  const { operator } = test;
  const one = end(test.value, operator === '>=' || operator === '<=');
  return operator === '>' || operator === '>=' ? share(one, null) : share(null, one);
}

function byAgents(how: string): StoreCondition {
  if (how === 'none') return not(presenceCondition('ai'));
  return how === 'any' ? presenceCondition('ai') : { is: 'terms', any: [hashTerm(`ai\n${how}`)] };
}

/** Commits are indexed by the first four characters of their hash, which few commits share. */
export const commitHashCondition = (prefix: string): StoreCondition =>
  and(
    { is: 'terms', any: [hashTerm(`sha\n${prefix.slice(0, 4)}`)] },
    ...(prefix.length > 4 ? [{ is: 'sha', prefix } as const] : []),
  );

/** Events with any value of a field. */
export function presenceCondition(part: string): StoreCondition {
  const column = columns[part];
  return column ? { is: 'present', column } : { is: 'terms', any: [hashTerm(`has\n${part}`)] };
}

const columns: Readonly<Record<string, 'actor' | 'repo' | 'pr'>> = { actor: 'actor', repo: 'repo', pr: 'pr' };
