import type { getPortalChange, PortalActorOfChange } from '@sightline/contract/compliance/portal-changes.ts';
import type { CallOutput } from '@sightline/contract/core/endpoint.ts';
import { remediationKey } from '@sightline/evidence/bundle/remediations.ts';
import type { Review } from '@sightline/evidence/controls/change-rows.ts';
import type { EvaluatedRow } from '@sightline/evidence/controls/evidence-line.ts';
import type { Fact } from '@sightline/evidence/controls/facts.ts';
import type { Actor } from '@sightline/evidence/controls/persons.ts';
import { explainReason } from '@sightline/evidence/controls/reasons.ts';
import type { ScannedRow } from '@sightline/evidence/controls/rows.ts';
import { isRecord } from '@sightline/evidence/ledger/canonical.ts';
import type { ChangeParts } from '../changes/queries.ts';
import { definitionOf } from '../controls/catalog.ts';
import type { BundledChange, OpenedBundle } from './opened-bundle.ts';

type PortalChange = CallOutput<typeof getPortalChange>;

/** Returns everything that a bundle states about a change, without names of persons. */
export function custodyOf(bundle: OpenedBundle, index: number, change: BundledChange): Omit<PortalChange, 'people'> {
  const { entry, text, proof, title } = change;
  const { asOf, receivedAt, source, subject } = entry;
  const repositoryId = typeof subject.repository === 'string' ? subject.repository : null;
  const rows = rowsAbout(bundle, index);
  const scanned = rows.find(({ control }) => control === 'SCN-01')?.evaluated.row as ScannedRow | undefined;
  const { policies, remediations, waivers } = bundle.records();
  const keys = new Set(rows.map(({ control, evaluated }) => remediationKey(control, evaluated.row.subject)));
  const mergedAt = String(subject.mergedAt ?? asOf);
  return {
    entry: index,
    proof: proof.length,
    asOf,
    receivedAt,
    source,
    title,
    repository: bundle.repositoryNames().get(repositoryId ?? '') ?? repositoryId,
    subject: { ...subject },
    parts: partsOf(change.parts as Partial<ChangeParts>),
    versions: (bundle.versions().get(String(subject.change)) ?? []).map((one) => ({
      entry: one.index,
      version: Number(one.entry.subject.version ?? 1),
      receivedAt: one.entry.receivedAt,
      proof: one.proof,
    })),
    scans: scanned ? factOf(scanned.scans, (scans) => [...scans]) : null,
    results: rows.map(({ control, evaluated, position }) => ({
      control,
      title: definitionOf(control).title,
      position,
      verdict: evaluated.verdict,
      explanations: evaluated.reasons.flatMap((reason) => explainReason(reason) ?? []),
      setting: evaluated.setting,
      entry: bundle.control(control).run,
    })),
    waivers: waivers
      .filter(({ about }) => keys.has(remediationKey(String(about.control), String(about.subject))))
      .map(({ about, requested, decided, ended, until }) => ({
        control: String(about.control),
        requested,
        decided,
        ended,
        until,
      })),
    remediations: remediations
      .filter(({ control, subject: about }) => keys.has(remediationKey(control, about)))
      .map(({ control, result, changes, retests }) => ({
        control,
        result,
        entries: [...changes, ...retests].map((one) => one.entry),
      })),
    policies: policies
      .filter(
        ({ made, ended, scope }) =>
          (made === null || made.at <= mergedAt) &&
          (ended === null || ended.at > mergedAt) &&
          covers(scope, repositoryId),
      )
      .map(({ id, name, version, mode, made, ended }) => ({
        id,
        name: String(name),
        version,
        mode: String(mode),
        made,
        ended,
      })),
    inclusion: { entry: text, proof: [...proof], checkpoint: bundle.checkpoint() },
  };
}

/** Rows of all controls that are about this change. */
const rowsAbout = (bundle: OpenedBundle, index: number) =>
  bundle.manifest.controls.flatMap((control) =>
    bundle
      .rows(control)
      .map((evaluated: EvaluatedRow, position) => ({ control, evaluated, position }))
      .filter(({ evaluated }) => evaluated.row.leaf === index),
  );

/** Whether the scope of a policy contains a repository; null: all repositories. */
function covers(scope: unknown, repositoryId: string | null): boolean {
  if (!isRecord(scope as never)) return true;
  const { repositories } = scope as { repositories?: unknown };
  return !Array.isArray(repositories) || (repositoryId !== null && repositories.includes(repositoryId));
}

/** Everyone in the custody of a change, by opaque ID. */
export function personsIn({ parts, waivers, policies }: Omit<PortalChange, 'people'>): string[] {
  const single = [parts.lastPusher, parts.mergedBy, parts.mergeRequestedBy].flatMap(({ value }) => value ?? []);
  const several = [parts.authors, parts.sessionOwners, parts.earlierPushers].flatMap(({ value }) => value ?? []);
  const reviewers = (parts.reviews.value ?? []).map(({ by }) => by);
  const actions = [
    ...waivers.flatMap(({ requested, decided, ended }) => [requested, decided, ended]),
    ...policies.flatMap(({ made, ended }) => [made, ended]),
  ];
  return [
    ...new Set([
      ...[...several, ...single, ...reviewers].flatMap(({ person }) => person ?? []),
      ...actions.flatMap((one) => one?.by ?? []),
    ]),
  ];
}

const missing = { state: 'missing' } as const;

function partsOf(parts: Partial<ChangeParts>): PortalChange['parts'] {
  const same = <Value>(value: Value): Value => value;
  const list = <Item>(items: readonly Item[]): Item[] => [...items];
  const people = (actors: readonly Actor[]) => actors.map(actorOf);
  const { headSha = missing, requiredChecks = missing } = parts;
  const required = new Set(requiredChecks.state === 'missing' ? [] : requiredChecks.value);
  return {
    authors: factOf(parts.authors, people),
    sessionOwners: factOf(parts.sessionOwners, people),
    ai: factOf(parts.ai, list),
    agents: factOf(parts.agents, (agents) =>
      agents.map(({ agent, isDeclared, observed, sessions }) => ({
        agent,
        isDeclared,
        observed,
        sessions: sessions.filter(({ confidence }) => confidence !== 'low').length,
      })),
    ),
    headSha: factOf(headSha, same),
    lastPusher: factOf(parts.lastPusher, actorOf),
    earlierPushers: factOf(parts.earlierPushers, people),
    unattestedCommits: factOf(parts.unattestedCommits, same),
    lastPushAt: factOf(parts.lastPushAt, same),
    reviews: factOf(parts.reviews, (all) => all.map((one) => reviewOf(one, headSha))),
    unreviewedFiles: factOf(parts.unreviewedFiles, same),
    hostActivity: factOf(parts.hostActivity, same),
    requiredChecks: factOf(requiredChecks, list),
    checks: factOf(parts.checks, (all) => all.map((check) => ({ ...check, isRequired: required.has(check.name) }))),
    sourceBranch: factOf(parts.sourceBranch, same),
    labels: factOf(parts.labels, list),
    tickets: factOf(parts.tickets, list),
    linkedIssues: factOf(parts.linkedIssues, same),
    pathMatches: factOf(parts.pathMatches, list),
    changedLines: factOf(parts.changedLines, same),
    configuredServers: factOf(parts.configuredServers, list),
    mergeRequestedBy: factOf(parts.mergeRequestedBy, actorOf),
    mergedBy: factOf(parts.mergedBy, actorOf),
  };
}

/** A part that the bundle does not contain is missing. */
const factOf = <Value, Shown>(fact: Fact<Value> | undefined, show: (value: Value) => Shown) =>
  fact === undefined || fact.state === 'missing'
    ? { state: 'missing' as const, value: null }
    : { state: fact.state, value: show(fact.value) };

const actorOf = (actor: Actor): PortalActorOfChange => ({
  person: actor.identity === 'unresolved' ? null : actor.person,
  kind: actor.kind,
  identity: actor.identity,
});

function reviewOf({ id, by, verdict, submittedAt, dismissedAt, commit, byActiveMember }: Review, head: Fact<string>) {
  const sha = commit.state === 'complete' ? commit.value : null;
  const headSha = head.state === 'complete' ? head.value : null;
  const truth = (value: boolean | undefined) => (value === undefined ? 'unknown' : value ? 'yes' : 'no');
  return {
    id,
    verdict,
    submittedAt,
    commit: sha,
    by: actorOf(by),
    isDismissed: truth(dismissedAt.state === 'missing' ? undefined : dismissedAt.value !== null),
    isForHead: truth(sha === null || headSha === null ? undefined : sha === headSha),
    wasMember: truth(byActiveMember.state === 'complete' ? byActiveMember.value : undefined),
  } as const;
}
