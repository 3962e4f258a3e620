import type { ContextFilter } from '@sightline/contract/timeline/contexts.ts';
import { maybeValue, qualifierDefinition } from '@sightline/contract/timeline/query-language/keys.ts';
import { Invalid } from '#core/errors.ts';
import type { EventField } from '../new-event.ts';
import { and, not, or, type StoreCondition } from '../store/condition.ts';
import { hashTerm, termOfParameter, termsOfText } from '../terms.ts';
import { personIdsByName, repositoryIdsByName, withMergedPersonIds } from './ids-by-name.ts';
import { eventsOfPullRequests } from './ranges.ts';
import type { QueryScene } from './scene.ts';
import { commitHashCondition } from './values.ts';

/** The condition of a filter, with names resolved to IDs and words to terms. */
export async function filterConditionOf(scene: QueryScene, filter: ContextFilter): Promise<StoreCondition> {
  const { within, field, predicate, arguments: values } = filter;
  const name = `${within}.${field}`;
  if (name === 'event.as_of') return timeOf(predicate, values[0] ?? '');
  if (name === 'event.words') {
    const words = values.flatMap((value) => termsOfText(value, 16));
    return and(...words.map((term): StoreCondition => ({ is: 'terms', any: [term] })));
  }
  const negated = predicate === 'is-not' || predicate === 'not-in';
  if (!negated && predicate !== 'is' && predicate !== 'in') throw Invalid(name, `does not support ${predicate}`);
  const found = await choiceOf(scene, filter);
  return negated ? not(found) : found;
}

async function choiceOf(
  { services: { database }, actor: { orgId } }: QueryScene,
  { within, field, arguments: values }: ContextFilter,
): Promise<StoreCondition> {
  const column = (name: 'kind' | 'repo' | 'actor', any: readonly string[]): StoreCondition =>
    any.length === 0 ? { is: 'none' } : { is: 'column', column: name, any };
  const qualifierValues = values.map((text) => ({ text }));
  switch (`${within}.${field}`) {
    case 'event.kind':
      return column(
        'kind',
        values.map((value) => maybeValue(qualifierDefinition('kind'), value) ?? value),
      );
    case 'repository.fullName':
      return column('repo', await repositoryIdsByName(database, orgId, qualifierValues));
    case 'repository.id':
      return column('repo', values.filter(isUuid));
    case 'user.id':
      return column('actor', await withMergedPersonIds(database, orgId, values.filter(isUuid)));
    case 'user.login':
    case 'user.email':
      return column('actor', await personIdsByName(database, orgId, qualifierValues));
    case 'pull_request.number':
      return eventsOfPullRequests(values.map(numberOf));
    case 'file.path':
      return or(
        ...values.map((path): StoreCondition => ({ is: 'terms', any: [hashTerm(`file\n${path.toLowerCase()}`)] })),
      );
    case 'branch.name':
      return havingValue('branch', values);
    case 'browser.name':
      return havingValue('browser', values);
    case 'website.host':
      return havingValue('site', values);
    case 'data_source.id':
      return havingValue('source', values);
    case 'sha.sha':
    case 'commit.sha':
      return or(...values.map((value) => commitHashCondition(shaIn(value))));
    default:
      // Older events are indexed in the original case.
      return {
        is: 'terms',
        any: [
          ...new Set(values.flatMap((id) => [termOfParameter('tool', id.toLowerCase()), termOfParameter('tool', id)])),
        ],
      };
  }
}

/** Events with one of these values of a field. */
const havingValue = (field: EventField, values: readonly string[]): StoreCondition => ({
  is: 'terms',
  any: [...new Set(values.map((value) => hashTerm(`${field}\n${value.toLowerCase()}`)))],
});

function shaIn(value: string): string {
  if (!/^[0-9a-f]{4,64}$/i.test(value))
    throw Invalid('sha', 'must be at least four hexadecimal characters of a commit hash');
  return value.toLowerCase();
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const isUuid = (value: string) => uuid.test(value);

function numberOf(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > 2_147_483_647)
    throw Invalid('pull_request.number', 'must be a positive number');
  return number;
}

function timeOf(predicate: string, value: string): StoreCondition {
  const time = Date.parse(value);
  // PostgreSQL would refuse the year 0000; no event can have it.
  if (!(time >= 0 && time < Date.UTC(2101, 0, 1))) throw Invalid('event.as_of', 'must be a time between 1970 and 2100');
  if (predicate === 'after') return { is: 'time', from: time, to: null };
  if (predicate === 'before') return { is: 'time', from: null, to: time };
  throw Invalid('event.as_of', `does not support ${predicate}`);
}
