import type {
  FreeText,
  Node,
  Qualifier,
  QualifierValue,
  Span,
} from '@sightline/contract/timeline/query-language/ast.ts';
import { qualifierDefinition } from '@sightline/contract/timeline/query-language/keys.ts';
import { Refusal } from '#core/errors.ts';
import { isEventField } from '../fields.ts';
import { allEvents, and, noEvents, normalizeCondition, not, or, type StoreCondition } from '../store/condition.ts';
import { termsOfText } from '../terms.ts';
import { eventsEvaluatedBy } from './control-conditions.ts';
import { termsMatchingPatterns } from './dictionary.ts';
import { personIdsByName, repositoryIdsByName } from './ids-by-name.ts';
import { clockCondition, pullRequestCondition, timeCondition } from './ranges.ts';
import { eventsByRoles, eventsOfRepositoryOwners, eventsOnCodeHosts } from './repository-and-member-conditions.ts';
import { type QueryScene, valueTextsOf } from './scene.ts';
import { hasCondition, stateCondition } from './states.ts';
import { agentCondition, commitHashCondition, fieldCondition, presenceCondition } from './values.ts';

/** The condition of a parsed query, with names resolved to IDs and values to terms. */
export async function resolveQueryNode(scene: QueryScene, node: Node): Promise<StoreCondition> {
  switch (node.kind) {
    case 'and':
    case 'or': {
      const parts = await Promise.all(node.of.map((part) => resolveQueryNode(scene, part)));
      return node.kind === 'and' ? and(...parts) : or(...parts);
    }
    case 'not':
      return not(await resolveQueryNode(scene, node.of));
    case 'text':
      return withPosition(node, () => textOf(scene, node));
    case 'qualifier':
      return withPosition(node, async () => normalizeCondition(await qualifierOf(scene, node)));
  }
}

/** Adds the position of the query part to a refusal, as the parser does. */
async function withPosition({ start, end }: Span, read: () => Promise<StoreCondition>): Promise<StoreCondition> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Refusal) || !error.code.startsWith('query_')) throw error;
    throw new Refusal(error.code, error.message, { query: { start, end, expected: [] } });
  }
}

async function textOf(scene: QueryScene, { mode, text }: FreeText): Promise<StoreCondition> {
  const terms = termsOfText(text);
  // Punctuation is ignored, as in indexing.
  const words = and(...terms.map((term): StoreCondition => ({ is: 'terms', any: [term] })));
  if (mode === 'word') return words;
  if (mode === 'part') return { is: 'part', text, bit: 2 ** (scene.parts.push(text) - 1) };
  if (mode === 'phrase') {
    const isWord = terms.length === 1 && /^[\p{L}\p{N}]+$/u.test(text);
    return isWord ? words : and(words, { is: 'shows', text: text.toLowerCase() });
  }
  const [, before = '', last = ''] = /^(.*?)([\p{L}\p{N}]*)$/su.exec(text.toLowerCase()) ?? [];
  const withPrefix = last === '' ? allEvents : await wordsWithPrefix(scene, last);
  return and(...termsOfText(before).map((term): StoreCondition => ({ is: 'terms', any: [term] })), withPrefix);
}

const wordsWithPrefix = async (scene: QueryScene, beginning: string): Promise<StoreCondition> => ({
  is: 'terms',
  any: await termsMatchingPatterns(scene.services.database, scene.actor.orgId, 'word', [`${beginning}*`]),
});

async function qualifierOf(scene: QueryScene, { key, test }: Qualifier): Promise<StoreCondition> {
  switch (key) {
    case 'kind':
      return test.kind === 'any' ? { is: 'column', column: 'kind', any: valueTextsOf(test) } : allEvents;
    case 'actor':
      return test.kind === 'any' ? actorOf(scene, test.values) : { is: 'present', column: 'actor' };
    case 'repo':
      return test.kind === 'any' ? repositoryOf(scene, test.values) : { is: 'present', column: 'repo' };
    case 'pr':
      return pullRequestCondition(test);
    case 'provider':
      return test.kind === 'any'
        ? eventsOnCodeHosts(scene.services.database, scene.actor.orgId, valueTextsOf(test))
        : { is: 'present', column: 'repo' };
    case 'org':
      return test.kind === 'any'
        ? eventsOfRepositoryOwners(scene.services.database, scene.actor.orgId, test.values)
        : { is: 'present', column: 'repo' };
    case 'role':
      return eventsByRoles(
        scene.services.database,
        scene.actor.orgId,
        test.kind === 'any' ? valueTextsOf(test) : (qualifierDefinition('role').values ?? []),
      );
    case 'context':
      return anyOf(test, (id) => within(scene, id));
    case 'after':
    case 'before':
    case 'on':
    case 'date':
      return timeCondition(key, test, scene.clock);
    case 'weekday':
    case 'hour':
      return clockCondition(key, test, scene.clock);
    case 'has':
      return anyOf(test, (part) => hasCondition(scene, part));
    case 'no':
      return anyOf(test, async (part) => not(await hasCondition(scene, part)));
    case 'is':
      return anyOf(test, (state) => stateCondition(scene, state));
    case 'control':
      return eventsEvaluatedBy(test.kind === 'any' ? test.values : [{ text: '*', wild: true }]);
    case 'sha':
      return test.kind === 'any' ? or(...valueTextsOf(test).map(commitHashCondition)) : presenceCondition('sha');
    case 'ai':
      return agentCondition(test);
    default:
      return isEventField(key) ? fieldCondition(scene, key, test) : noEvents;
  }
}

/** The condition for any of the values; matches all events without a value. */
async function anyOf(
  test: Qualifier['test'],
  conditionOf: (text: string) => StoreCondition | Promise<StoreCondition>,
): Promise<StoreCondition> {
  return test.kind === 'any' ? or(...(await Promise.all(valueTextsOf(test).map(conditionOf)))) : allEvents;
}

async function within({ maybeWithin }: QueryScene, contextId: string): Promise<StoreCondition> {
  const found = await maybeWithin(contextId);
  if (!found) throw new Refusal('query_invalid', 'No context with this ID exists.');
  return found;
}

async function actorOf({ services, actor }: QueryScene, values: readonly QualifierValue[]): Promise<StoreCondition> {
  const isMe = ({ text, wild }: QualifierValue) => !wild && text.toLowerCase() === '@me';
  const persons = await personIdsByName(
    services.database,
    actor.orgId,
    values.filter((value) => !isMe(value)),
  );
  const any = values.some(isMe) ? [...persons, actor.personId, ...actor.formerIds] : persons;
  return { is: 'column', column: 'actor', any: [...new Set(any)] };
}

const repositoryOf = async (
  { services, actor }: QueryScene,
  values: readonly QualifierValue[],
): Promise<StoreCondition> => ({
  is: 'column',
  column: 'repo',
  any: await repositoryIdsByName(services.database, actor.orgId, values),
});
