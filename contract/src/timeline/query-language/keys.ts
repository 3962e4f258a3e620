import { findingCategories } from '../../core/finding-categories.ts';
import { providers } from '../../core/providers.ts';
import { severities } from '../../core/severities.ts';
import { eventKinds } from '../events.ts';

/** The value type of a qualifier. */
export type KeyType =
  /** One of a few words if `values` lists all of them. */
  | 'enum'
  /** The same in descending order. */
  | 'ordered'
  /** Whole numbers. */
  | 'number'
  /** Days, times and relative times. */
  | 'date'
  /** Any text; an asterisk is a wildcard. */
  | 'text'
  /** The prefix of a commit SHA, at least four characters. */
  | 'sha'
  /** One of a few words, or a number from 0 to 1 to compare. */
  | 'share'
  /** A UUID. */
  | 'id';

/** Ordered types, which support comparisons and ranges. */
export const comparableTypes: ReadonlySet<KeyType> = new Set(['ordered', 'number', 'date', 'share']);

export interface QualifierDefinition {
  type: KeyType;
  aliases: readonly string[];
  /** The description in suggestions. */
  description: string;
  example: string;
  /** An event has at most one value, so several adjacent ones are alternatives. */
  single: boolean;
  values?: readonly string[];
  /** Aliases of values. */
  valueAliases?: Readonly<Record<string, string>>;
}

const fact = (
  type: KeyType,
  example: string,
  description: string,
  more: Partial<QualifierDefinition> = {},
): QualifierDefinition => ({
  type,
  example,
  description,
  aliases: [],
  single: false,
  ...more,
});

/** Event fields in addition to actor, location and time. */
export const fieldParts = [
  'branch',
  'sha',
  'tag',
  'file',
  'lang',
  'severity',
  'category',
  'rule',
  'cwe',
  'cve',
  'ghsa',
  'status',
  'review',
  'tool',
  'vendor',
  'agent',
  'model',
  'session',
  'ai',
  'site',
  'browser',
] as const;

/** Fields that an event can have or lack, for `has:` and `no:`. */
const parts = ['actor', 'extension', 'repo', 'pr', ...fieldParts] as const;

/** Outcomes of pull requests and reviews, and effects of scans on findings. */
const statuses = [
  'opened',
  'merged',
  'closed',
  'approved',
  'changes_requested',
  'commented',
  'dismissed',
  'open',
  'fixed',
  'reopened',
] as const;

/** Decisions of reviews before a merge. */
const reviews = ['approved', 'changes_requested', 'commented'] as const;

/** The confidence of agent contributions, most certain first; then whether any attribution exists. */
const agency = ['declared', 'observed', 'inferred', 'any', 'none'] as const;

/** Days of the week, as ISO 8601 orders them. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** Hours of a day, the latest first as in every ordered qualifier. */
const hours = Array.from({ length: 24 }, (_, index) => String(23 - index));

/** All qualifiers. */
export const qualifierDefinitions = {
  kind: fact('enum', 'kind:commit', 'Event kind', {
    aliases: ['type', 'event'],
    single: true,
    values: eventKinds,
    valueAliases: {
      pr: 'pull_request',
      pullrequest: 'pull_request',
      vuln: 'vulnerability',
      web: 'web_page_view',
      webpageview: 'web_page_view',
    },
  }),
  actor: fact('text', 'actor:ada', 'Actor: login, email address, name, or @me', {
    aliases: ['user', 'author', 'by'],
    single: true,
  }),
  role: fact('enum', 'role:owner', 'Current role of the actor', {
    single: true,
    values: ['owner', 'contributor', 'reviewer', 'auditor'],
    valueAliases: { account_owner: 'owner', code_contributor: 'contributor', digest_reviewer: 'reviewer' },
  }),
  repo: fact('text', 'repo:acme/api', 'Repository', { aliases: ['repository'], single: true }),
  org: fact('text', 'org:acme', 'Organization, group or workspace of the repository', { single: true }),
  provider: fact('enum', 'provider:github', 'Code host of the repository', {
    single: true,
    values: providers,
  }),
  pr: fact('number', 'pr:12', 'Pull request', { single: true }),
  branch: fact('text', 'branch:release/*', 'Branch', { aliases: ['ref'], single: true }),
  sha: fact('sha', 'sha:1f3a9c', 'Commit', { aliases: ['commit'], single: true }),
  tag: fact('text', 'tag:v1.*', 'Tag of the scan', { single: true }),
  file: fact('text', 'file:src/auth/*', 'Changed files', { aliases: ['path'] }),
  severity: fact('ordered', 'severity:>=high', 'Severity of findings', {
    aliases: ['sev'],
    single: true,
    values: severities,
  }),
  ext: fact('text', 'ext:ts', 'File extension of changed files'),
  lang: fact('text', 'lang:typescript', 'Programming language', { single: true }),
  category: fact('enum', 'category:sast', 'Kind of scan', {
    single: true,
    values: findingCategories,
  }),
  rule: fact('text', 'rule:*sql-injection', 'Rule of findings changed by a scan'),
  cwe: fact('text', 'cwe:79', 'CWE of findings changed by a scan'),
  cve: fact('text', 'cve:CVE-2024-*', 'CVE of findings changed by a scan'),
  ghsa: fact('text', 'ghsa:GHSA-jfh8-*', 'GitHub advisory of findings changed by a scan'),
  status: fact('enum', 'status:merged', 'Status of pull requests, reviews or findings', {
    single: true,
    values: statuses,
  }),
  review: fact('enum', 'review:approved', 'Review state at merge', { values: reviews }),
  source: fact('text', 'source:github', 'Source of the event', { aliases: ['data_source'], single: true }),
  tool: fact('text', 'tool:claude-code', 'Tool', { single: true }),
  vendor: fact('text', 'vendor:github', 'Vendor of the tool', { single: true }),
  agent: fact('text', 'agent:claude-code', 'Agent of commits and merges'),
  model: fact('text', 'model:claude-*', 'Model of commits and merges'),
  session: fact('text', 'session:0b1c*', 'Agent session of commits and merges'),
  ai: fact('share', 'ai:>=0.5', 'Attribution to agents: confidence, any, none, or the share of lines from 0 to 1', {
    values: agency,
  }),
  site: fact('text', 'site:*.github.com', 'Site', { aliases: ['website', 'domain'], single: true }),
  browser: fact('text', 'browser:firefox', 'Browser', { single: true }),
  control: fact('text', 'control:soc2/CC8.1', 'Evaluating control, or requirement of a framework'),
  context: fact('id', 'context:5f0c6f2e-4f6c-8b58-9d43-0a4c1f6e2b11', 'Context'),
  after: fact('date', 'after:-7d', 'Since a day or time'),
  before: fact('date', 'before:2026-02-01', 'Before a day or time'),
  on: fact('date', 'on:today', 'On a day'),
  date: fact('date', 'date:2026-01-01..2026-01-31', 'Between two days, inclusive', { aliases: ['created'] }),
  weekday: fact('enum', 'weekday:saturday,sunday', 'Day of the week in the time zone of the page', {
    single: true,
    values: weekdays,
    valueAliases: Object.fromEntries(weekdays.map((day) => [day.slice(0, 3), day])),
  }),
  hour: fact('ordered', 'hour:22..5', 'Hour of the day in the time zone of the page', { single: true, values: hours }),
  has: fact('enum', 'has:pr', 'With a given part', { values: parts }),
  no: fact('enum', 'no:repo', 'Without a given part', { values: parts }),
  is: fact(
    'enum',
    'is:merged',
    'merged; unreviewed: merged without a review; self-approved: approved only by contributors of the change; direct: commit pushed without a pull request; gap: incomplete record; agent: with agent contribution; private: in a private repository; late: received more than five minutes after it occurred; unread: has an unread notification',
    { values: ['merged', 'unreviewed', 'self-approved', 'direct', 'gap', 'agent', 'private', 'late', 'unread'] },
  ),
} as const satisfies Record<string, QualifierDefinition>;

export type Key = keyof typeof qualifierDefinitions;
export const keyNames = Object.keys(qualifierDefinitions) as Key[];

const byName = new Map<string, Key>(
  keyNames.flatMap((key) => [key, ...qualifierDefinitions[key].aliases].map((name) => [name, key])),
);

/** Finds a qualifier by name or alias, case-insensitive. */
export const maybeKey = (name: string): Key | undefined => byName.get(name.toLowerCase());

/** The definition of a qualifier. */
export const qualifierDefinition = (key: Key): QualifierDefinition => qualifierDefinitions[key];

/** Finds the value of a word, case-insensitive; undefined if the qualifier has a closed list without it. */
export function maybeValue({ values, valueAliases }: QualifierDefinition, word: string): string | undefined {
  if (!values) return word;
  const lower = word.toLowerCase();
  return values.find((value) => value === lower) ?? valueAliases?.[lower];
}
