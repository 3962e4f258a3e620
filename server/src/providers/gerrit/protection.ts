import { z } from 'zod';
import { readPart } from '#providers/access-parts.ts';
import type { HostProtection } from '#providers/host-evidence.ts';
import type { HostRef } from '../host-facts.ts';
import { type AccessRights, bypassesOf, grantsOf, matches, readAccessRights } from './access-rights.ts';
import { projectPath } from './shapes.ts';
import type { GerritApi } from './transport.ts';
import { reviewLabel } from './votes.ts';

const flag = z.boolean().nullish();

const label = z.object({
  name: z.string(),
  function: z.string().nullish(),
  branches: z.array(z.string()).nullish(),
  copy_condition: z.string().nullish(),
  // Instances before 3.6.
  copy_any_score: flag,
  copy_max_score: flag,
  copy_values: z.array(z.number()).nullish(),
});
type Label = z.output<typeof label>;

const requirement = z.object({
  name: z.string(),
  applicability_expression: z.string().nullish(),
  submittability_expression: z.string(),
  override_expression: z.string().nullish(),
});
type Requirement = z.output<typeof requirement>;

/** Reads the protection of a branch. Each fact is null that the account may not read, or that cannot be decided. */
export async function readProtection(api: GerritApi, ref: HostRef, branch: string): Promise<HostProtection> {
  const path = projectPath(ref);
  const list = (name: string) =>
    readPart(async () => z.array(z.unknown()).parse(await api.json(path + name, { inherited: true })));
  const labels = (await list('/labels/'))?.map((json) => label.parse(json));
  const requirements = (await list('/submit_requirements/'))?.map((json) => requirement.parse(json));
  const rights = await readPart(() => readAccessRights(api, ref));
  return protectionFrom(
    { labels: labels && overriding(labels), requirements: requirements && overriding(requirements), rights },
    branch,
  );
}

/** Lists begin with the root project: what a project defines replaces what it inherits. */
const overriding = <Named extends { name: string }>(items: readonly Named[]): Named[] => [
  ...new Map(items.map((one) => [one.name, one])).values(),
];

interface ProtectionFacts {
  labels: readonly Label[] | undefined;
  requirements: readonly Requirement[] | undefined;
  rights: AccessRights | undefined;
}

/** Undefined: the account may not read it. */
export function protectionFrom({ labels, requirements, rights }: ProtectionFacts, branch: string): HostProtection {
  const ref = `refs/heads/${branch}`;
  const required = labels && requirements && requiredLabels(labels, requirements, ref);
  const names = required && [...required.keys()].filter((name) => name !== reviewLabel);
  const pushes = rights && grantsOf(rights, 'push', ref);
  const deletes = rights && grantsOf(rights, 'delete', ref);
  const mayForce = pushes?.some(({ force }) => force === true);
  return {
    requiredReviews: required ? (required.get(reviewLabel) ?? 0) : null,
    dismissesStaleReviews: labels ? dismissesStale(labels) : null,
    allowsForcePush: mayForce ?? null,
    // A forced push can delete too.
    allowsDeletion: mayForce === undefined || deletes === undefined ? null : mayForce || deletes.length > 0,
    includesAdmins: bindsEveryone(rights, requirements, ref),
    requiredChecks: names ?? null,
    requiredCheckCount: names?.length ?? null,
    // Every account with the access right can vote.
    requiredApps: names ? [] : null,
    unboundChecks: names?.length ?? null,
  };
}

/** Whether no group bypasses what is required, and no override submits without it; null if unknown. */
function bindsEveryone(
  rights: AccessRights | undefined,
  requirements: readonly Requirement[] | undefined,
  ref: string,
): boolean | null {
  const overrides = requirements?.some(({ override_expression: text }) => text != null && text !== '');
  const bypasses = bypassesOf(ref).map(([name, of]) => rights && grantsOf(rights, name, of));
  if (overrides || bypasses.some((grants) => grants !== undefined && grants.length > 0)) return false;
  return overrides === undefined || bypasses.includes(undefined) ? null : true;
}

const blocking = new Set(['MaxWithBlock', 'MaxNoBlock']);
const maximum = /^label:"?([A-Za-z][A-Za-z0-9-]*)=MAX(?:,count>=(\d+))?(?:,user=[a-z_]+)?"?$/i;
// Terms that require more, and no vote.
const further = /^(?:-label:\S+|-?has:\S+|-?is:\S+|-?message:\S+)$/i;

/** Numbers of highest votes by label; undefined if that cannot be decided here. */
type RequiredVotes = ReadonlyMap<string, number> | undefined;

/** The number of highest votes that a submission to a ref requires, by functions of labels and by requirements. */
function requiredLabels(labels: readonly Label[], requirements: readonly Requirement[], ref: string): RequiredVotes {
  const found = new Map<string, number>();
  const parts = [...labels.map((one) => votesByFunction(one, ref)), ...requirements.map((one) => votesBy(one, ref))];
  for (const part of parts) {
    if (part === undefined) return undefined;
    for (const [name, count] of part) found.set(name, Math.max(count, found.get(name) ?? 0));
  }
  return found;
}

function votesByFunction({ name, function: rule, branches }: Label, ref: string): RequiredVotes {
  if (!blocking.has(rule ?? '')) return new Map();
  const applies = (branches ?? ['refs/heads/*']).map((pattern) => matches(pattern, ref));
  if (applies.includes(true)) return new Map([[name, 1]]);
  return applies.includes(undefined) ? undefined : new Map();
}

/** Only conjunctions of simple terms can be evaluated. */
function votesBy(one: Requirement, ref: string): RequiredVotes {
  const applies = isApplicable(one.applicability_expression, ref);
  if (applies === false) return new Map();
  const terms = one.submittability_expression.trim().split(/\s+AND\s+|\s+/i);
  if (applies === undefined || terms.some((term) => !maximum.test(term) && !further.test(term))) return undefined;
  return new Map(
    terms.flatMap((term) => {
      const [, name, count] = maximum.exec(term) ?? [];
      return name === undefined ? [] : [[name, Number(count ?? 1)] as const];
    }),
  );
}

/** Whether a requirement applies to a branch; undefined if that depends on the change, or cannot be evaluated. */
function isApplicable(expression: string | null | undefined, ref: string): boolean | undefined {
  const text = (expression ?? '').trim();
  if (text === '' || text === 'is:true') return true;
  if (text === 'is:false') return false;
  const [, negated, name] = /^(-?)(?:branch|ref):"?((?:refs\/heads\/)?[A-Za-z0-9._/-]+)"?$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const isSame = ref === (name.startsWith('refs/') ? name : `refs/heads/${name}`);
  return negated === '-' ? !isSame : isSame;
}

// Conditions that keep a vote only with the same code, or that keep a veto.
const keepsSameCode =
  /^(?:changekind:(?:NO_CHANGE|NO_CODE_CHANGE|TRIVIAL_REBASE|TRIVIAL_REBASE_WITH_MESSAGE_UPDATE|MERGE_FIRST_PARENT_UPDATE)|is:MIN|is:-\d+)$/i;
const keepsAny = /^(?:is:ANY|is:MAX|is:\+?[1-9]\d*|changekind:REWORK)$/i;

/** Whether an upload with other code ends votes for Code-Review; null if the copy condition cannot be evaluated. */
function dismissesStale(labels: readonly Label[]): boolean | null {
  const found = labels.find(({ name }) => name === reviewLabel);
  if (found === undefined) return null;
  const highest = found.copy_values?.some((value) => value > 0) ?? false;
  if (found.copy_any_score || found.copy_max_score || highest) return false;
  const condition = (found.copy_condition ?? '').trim();
  if (condition === '') return true;
  const terms = condition.split(/\s+OR\s+/i);
  if (terms.some((term) => keepsAny.test(term))) return false;
  return terms.every((term) => keepsSameCode.test(term)) ? true : null;
}

/** Whether no group may move or delete a tag; null if the account may not read it, or it cannot be decided. */
export async function readTagProtection(api: GerritApi, ref: HostRef): Promise<boolean | null> {
  const rights = await readPart(() => readAccessRights(api, ref));
  if (rights === undefined) return null;
  const tags = rights.sections
    .map((section) => section.ref)
    .filter((pattern) => pattern.startsWith('refs/tags/') || matches(pattern, 'refs/tags/') !== false);
  // An update of a tag is a push, and a deletion is one by force.
  const grants = tags.flatMap((pattern) => {
    const one = matches(pattern, pattern.replace(/\*$/, 'x')) === undefined ? undefined : pattern.replace(/\*$/, 'x');
    return ['push', 'delete'].map((name) => (one === undefined ? undefined : grantsOf(rights, name, one)));
  });
  if (grants.some((found) => found !== undefined && found.length > 0)) return false;
  return grants.includes(undefined) ? null : true;
}
