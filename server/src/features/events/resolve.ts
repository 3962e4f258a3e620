import type { Node, Qualifier, Span, Test, Text, Value } from '@sightline/contract/query-language/ast.ts';
import { type Clock, stretchOf } from '@sightline/contract/query-language/dates.ts';
import { factsOf } from '@sightline/contract/query-language/keys.ts';
import type { Actor } from '#core/actor.ts';
import { Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { byObserved, byRoles, inPrivate, ofOwners, onHosts } from './belonging.ts';
import { termsNamed } from './dictionary.ts';
import { type Field, isField } from './fields.ts';
import { judgedBy, selfApproved, unreviewed, withGap } from './judged.ts';
import { personsNamed, repositoriesNamed } from './named.ts';
import { all, and, type Condition, type End, none, normal, not, or } from './store/condition.ts';
import { unreadBy } from './unread.ts';
import { termOf, termsOf } from './words.ts';

/** What a query's names and times are read against. */
export interface Scene {
  services: Services;
  actor: Actor;
  clock: Clock;
  /** The parts of words that are asked for, as they come. */
  parts: string[];
  /** What a context asks for; undefined where there is none with this id. */
  maybeWithin: (contextId: string) => Promise<Condition | undefined>;
}

/** What a query that has been spelled out asks of an event, with names as ids and values as terms. */
export async function resolve(scene: Scene, node: Node): Promise<Condition> {
  switch (node.kind) {
    case 'and':
    case 'or': {
      const parts = await Promise.all(node.of.map((part) => resolve(scene, part)));
      return node.kind === 'and' ? and(...parts) : or(...parts);
    }
    case 'not':
      return not(await resolve(scene, node.of));
    case 'text':
      return placed(node, () => textOf(scene, node));
    case 'qualifier':
      return placed(node, async () => normal(await qualifierOf(scene, node)));
  }
}

/** What is refused because of a part of the query says which part, as what is refused in reading it does. */
async function placed({ start, end }: Span, read: () => Promise<Condition>): Promise<Condition> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Refusal) || !error.code.startsWith('query_')) throw error;
    throw new Refusal(error.code, error.message, { query: { start, end, expected: [] } });
  }
}

async function textOf(scene: Scene, { mode, text }: Text): Promise<Condition> {
  const terms = termsOf(text);
  // Signs alone are passed over, as they are when words are indexed.
  const words = and(...terms.map((term): Condition => ({ is: 'terms', any: [term] })));
  if (mode === 'word') return words;
  if (mode === 'part') return { is: 'part', text, bit: 2 ** (scene.parts.push(text) - 1) };
  if (mode === 'phrase') {
    const isWord = terms.length === 1 && /^[\p{L}\p{N}]+$/u.test(text);
    return isWord ? words : and(words, { is: 'shows', text: text.toLowerCase() });
  }
  const [, before = '', last = ''] = /^(.*?)([\p{L}\p{N}]*)$/su.exec(text.toLowerCase()) ?? [];
  const begun = last === '' ? all : await wordsBeginning(scene, last);
  return and(...termsOf(before).map((term): Condition => ({ is: 'terms', any: [term] })), begun);
}

const wordsBeginning = async (scene: Scene, beginning: string): Promise<Condition> => ({
  is: 'terms',
  any: await termsNamed(scene.services.database, scene.actor.orgId, 'word', [`${beginning}*`]),
});

async function qualifierOf(scene: Scene, { key, test }: Qualifier): Promise<Condition> {
  switch (key) {
    case 'kind':
      return test.kind === 'any' ? { is: 'column', column: 'kind', any: textsOf(test) } : all;
    case 'actor':
      return test.kind === 'any' ? actorOf(scene, test.values) : { is: 'present', column: 'actor' };
    case 'repo':
      return test.kind === 'any' ? repositoryOf(scene, test.values) : { is: 'present', column: 'repo' };
    case 'pr':
      return pullRequestOf(test);
    case 'provider':
      return test.kind === 'any'
        ? onHosts(scene.services.database, scene.actor.orgId, textsOf(test))
        : { is: 'present', column: 'repo' };
    case 'org':
      return test.kind === 'any'
        ? ofOwners(scene.services.database, scene.actor.orgId, test.values)
        : { is: 'present', column: 'repo' };
    case 'role':
      return byRoles(
        scene.services.database,
        scene.actor.orgId,
        test.kind === 'any' ? textsOf(test) : (factsOf('role').values ?? []),
      );
    case 'context':
      return test.kind === 'any' ? or(...(await Promise.all(textsOf(test).map((id) => within(scene, id))))) : all;
    case 'after':
    case 'before':
    case 'on':
    case 'date':
      return timeOf(key, test, scene.clock);
    case 'has':
      return test.kind === 'any' ? or(...(await Promise.all(textsOf(test).map((part) => withPart(scene, part))))) : all;
    case 'no':
      return test.kind === 'any'
        ? or(...(await Promise.all(textsOf(test).map(async (part) => not(await withPart(scene, part))))))
        : all;
    case 'is':
      return test.kind === 'any' ? or(...(await Promise.all(textsOf(test).map((state) => being(scene, state))))) : all;
    case 'control':
      return judgedBy(test.kind === 'any' ? test.values : [{ text: '*', wild: true }]);
    case 'sha':
      return test.kind === 'any' ? or(...textsOf(test).map(shaOf)) : having('sha');
    case 'ai':
      return agentsOf(test);
    default:
      return isField(key) ? fieldOf(scene, key, test) : none;
  }
}

async function within({ maybeWithin }: Scene, contextId: string): Promise<Condition> {
  const found = await maybeWithin(contextId);
  if (!found) throw new Refusal('query_invalid', 'There is no context with this id.');
  return found;
}

const textsOf = (test: Test & { kind: 'any' }) => test.values.map(({ text }) => text);

async function actorOf({ services, actor }: Scene, values: readonly Value[]): Promise<Condition> {
  const isMe = ({ text, wild }: Value) => !wild && text.toLowerCase() === '@me';
  const persons = await personsNamed(
    services.database,
    actor.orgId,
    values.filter((value) => !isMe(value)),
  );
  const any = values.some(isMe) ? [...persons, actor.personId, ...actor.formerIds] : persons;
  return { is: 'column', column: 'actor', any: [...new Set(any)] };
}

const repositoryOf = async ({ services, actor }: Scene, values: readonly Value[]): Promise<Condition> => ({
  is: 'column',
  column: 'repo',
  any: await repositoriesNamed(services.database, actor.orgId, values),
});

function pullRequestOf(test: Test): Condition {
  switch (test.kind) {
    case 'exists':
      return { is: 'present', column: 'pr' };
    case 'any':
      return pullRequests(textsOf(test).map(Number));
    case 'range':
      return {
        is: 'numbered',
        from: test.from ? Number(test.from.text) : null,
        to: test.to ? Number(test.to.text) : null,
      };
    case 'compare': {
      const number = Number(test.value.text);
      if (test.operator === '>' || test.operator === '>=')
        return { is: 'numbered', from: test.operator === '>' ? number + 1 : number, to: null };
      return { is: 'numbered', from: null, to: test.operator === '<' ? number - 1 : number };
    }
  }
}

export const pullRequests = (numbers: readonly number[]): Condition => ({
  is: 'column',
  column: 'pr',
  any: [...new Set(numbers)],
  terms: [...new Set(numbers)].map((number) => termOf(`pr\n${number}`)),
});

function timeOf(key: 'after' | 'before' | 'on' | 'date', test: Test, clock: Clock): Condition {
  const stretch = ({ text }: Value) => {
    const { from, to } = stretchOf(text, clock);
    // A moment is one of the milliseconds that events are told in.
    return { from, to: Math.max(to, from + 1) };
  };
  switch (test.kind) {
    case 'exists':
      return all;
    case 'any':
      return or(
        ...test.values.map((value): Condition => {
          const { from, to } = stretch(value);
          if (key === 'after') return { is: 'time', from, to: null };
          return key === 'before' ? { is: 'time', from: null, to: from } : { is: 'time', from, to };
        }),
      );
    case 'range':
      return {
        is: 'time',
        from: test.from ? stretch(test.from).from : null,
        to: test.to ? stretch(test.to).to : null,
      };
    case 'compare': {
      const { from, to } = stretch(test.value);
      if (test.operator === '>') return { is: 'time', from: to, to: null };
      if (test.operator === '>=') return { is: 'time', from, to: null };
      return { is: 'time', from: null, to: test.operator === '<' ? from : to };
    }
  }
}

const columns: Readonly<Record<string, 'actor' | 'repo' | 'pr'>> = { actor: 'actor', repo: 'repo', pr: 'pr' };

const withPart = async ({ services, actor }: Scene, part: string): Promise<Condition> =>
  part === 'extension' ? byObserved(services.database, actor.orgId) : having(part);

function having(part: string): Condition {
  const column = columns[part];
  return column ? { is: 'present', column } : { is: 'terms', any: [termOf(`has\n${part}`)] };
}

async function being({ services, actor }: Scene, state: string): Promise<Condition> {
  switch (state) {
    case 'late':
      return { is: 'late' };
    case 'agent':
      return having('agent');
    case 'self-approved':
      return selfApproved(services.database, actor.orgId);
    case 'unreviewed':
      return unreviewed;
    case 'gap':
      return withGap;
    case 'private':
      return inPrivate(services.database, actor.orgId);
    case 'unread':
      return unreadBy(services.database, actor);
    default:
      return { is: 'terms', any: [termOf(`status\n${state}`)] };
  }
}

function agentsOf(test: Test): Condition {
  if (test.kind === 'exists') return having('ai');
  if (test.kind === 'any') return or(...textsOf(test).map(byAgents));
  const end = (value: Value | null, included = true) => value && { share: Number(value.text), included };
  const share = (from: End | null, to: End | null) => and(having('ai'), { is: 'share', from, to });
  if (test.kind === 'range') return share(end(test.from), end(test.to));
  const { operator } = test;
  const one = end(test.value, operator === '>=' || operator === '<=');
  return operator === '>' || operator === '>=' ? share(one, null) : share(null, one);
}

function byAgents(how: string): Condition {
  if (how === 'none') return not(having('ai'));
  return how === 'any' ? having('ai') : { is: 'terms', any: [termOf(`ai\n${how}`)] };
}

/** Commits are listed under the first four characters of their sha; those that share them are few. */
export const shaOf = (prefix: string): Condition =>
  and(
    { is: 'terms', any: [termOf(`sha\n${prefix.slice(0, 4)}`)] },
    ...(prefix.length > 4 ? [{ is: 'sha', prefix } as const] : []),
  );

async function fieldOf({ services, actor }: Scene, field: Field, test: Test): Promise<Condition> {
  switch (test.kind) {
    case 'exists':
      return field === 'source' ? all : having(field);
    case 'any': {
      const [wild, plain] = [true, false].map((is) =>
        test.values.flatMap(({ text, wild = false }) => (wild === is ? written(field, text.toLowerCase()) : [])),
      ) as [string[], string[]];
      const expanded = wild.length === 0 ? [] : await termsNamed(services.database, actor.orgId, field, wild);
      const any = [...new Set([...plain.map((value) => termOf(`${field}\n${value}`)), ...expanded])];
      // A source stands in the row too; where values are known it is the cheaper look.
      return field === 'source' && wild.length === 0 && plain.length > 0
        ? { is: 'column', column: 'source', any: plain, terms: any }
        : { is: 'terms', any };
    }
    case 'compare':
    case 'range':
      return { is: 'terms', any: ordered(field, test).map((value) => termOf(`${field}\n${value}`)) };
  }
}

/** As events are listed under it: numbers of weaknesses without, numbers of advisories with what stands before them. */
function written(field: Field, text: string): string {
  if (field === 'cwe') return text.replace(/^cwe-?/, '').replace(/^0+(?=\d)/, '');
  const isNumber = /^\d/.test(text);
  return (field === 'cve' || field === 'ghsa') && isNumber ? `${field}-${text}` : text;
}

/** Of values in order, the first being the most: those that compare so. */
function ordered(field: Field, test: Test & { kind: 'compare' | 'range' }): readonly string[] {
  const values = factsOf(field).values ?? [];
  const place = (value: Value) => values.indexOf(value.text);
  if (test.kind === 'range') {
    const ends = [test.from ? place(test.from) : values.length - 1, test.to ? place(test.to) : 0];
    return values.slice(Math.min(...ends), Math.max(...ends) + 1);
  }
  const at = place(test.value);
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
