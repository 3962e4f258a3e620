import type { Node, Predicate, QualifierValue } from '@sightline/contract/timeline/query-language/ast.ts';
import { operators } from '@sightline/contract/timeline/query-language/ast.ts';
import {
  comparableTypes,
  type Key,
  keyNames,
  qualifierDefinition,
} from '@sightline/contract/timeline/query-language/keys.ts';
import fc from 'fast-check';

const nowhere = { start: 0, end: 0 };

/** Values of the test events, so that random queries match some of them. */
export const queryVocabulary = {
  actor: ['ada', 'grace@example.org', 'Grace Hopper', 'linus', '@me', 'nobody', 'Ada'],
  org: ['acme', 'Acme/front', 'other', 'oth', 'nobody'],
  context: ['11111111-1111-8111-8111-111111111111', '22222222-2222-8222-8222-222222222222'],
  repo: ['acme/api', 'acme/web', 'Acme/API', 'other/tool', 'acme/none'],
  pr: ['1', '2', '12', '900'],
  branch: ['main', 'release/1', 'release/2', 'feature/Login', 'gone'],
  sha: ['1f3a', '1f3a9c', '1f3a9c00', '1f3b', 'abcd1234', 'ffff'],
  tag: ['v1.0', 'V2', 'v3'],
  rule: ['js/sql-injection', 'Reflected XSS', 'x'],
  cwe: ['79', 'CWE-89', 'cwe-079', '1'],
  cve: ['CVE-2024-1234', '2021-44228', 'CVE-2000-0001'],
  ghsa: ['GHSA-jfh8-c2jp-5v3q', 'ghsa-none'],
  model: ['claude-opus-4', 'GPT-5', 'x'],
  session: ['s1a2b3', 'S9', 'x'],
  share: ['0', '0.25', '.5', '1'],
  file: ['src/auth/login.ts', 'src/auth/deep/token.ts', 'README.md', 'Dockerfile', 'src/web/app.tsx', 'src/none.ts'],
  ext: ['ts', 'tsx', 'md', 'rs'],
  lang: ['typescript', 'TypeScript', 'go', 'cobol'],
  tool: ['claude-code', 'Claude Code', 'github-copilot', 'trivy', 'x'],
  vendor: ['GitHub', 'anthropic', 'acme'],
  agent: ['claude', 'Claude-Code', 'cursor', 'github-copilot', 'nobody'],
  source: ['github', 'vscode', 'chrome', 'firefox', 'checkmarx', 'x'],
  site: ['chat.openai.com', 'openai.com', 'docs.github.com', 'github.com', 'nowhere.example'],
  browser: ['chrome', 'firefox', 'safari'],
  control: ['CHG-01', 'chg-02', 'CHG-04', 'TOL-01', 'soc2/CC8.1', 'ISO27001/a.5.3', 'soc2/CC1'],
  words: ['fix', 'login', 'drop', 'table', 'refactor', 'Über', 'größe', 'x1', 'absent', 'acme/api', 'a-b', '--'],
  phrases: [
    'drop table',
    'fix login',
    'table drop',
    'Fix',
    'refactor the',
    'acme/api',
    'größe über',
    '"quoted" 100%',
    'ada',
  ],
  date: [
    '2026-01',
    '2026-01-10',
    '2026-02-01',
    '2026-01-15T12:00:00Z',
    '-7d',
    '-24h',
    '-30m',
    'today',
    'yesterday',
    'now',
    '2025-12-31',
  ],
} as const;

const wordsOf = (key: Key): readonly string[] => {
  const { values, type } = qualifierDefinition(key);
  if (values) return values;
  if (type === 'date') return queryVocabulary.date;
  return (queryVocabulary as Partial<Record<Key, readonly string[]>>)[key] ?? ['x'];
};

const wildOf = (word: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(word.length), fc.nat(word.length), fc.constantFrom('in', 'before', 'after', 'around'))
    .map(([one, other, way]) => {
      const [from, to] = one < other ? [one, other] : [other, one];
      const bare = word.replaceAll(/[\s",()[\]]/g, '?');
      if (way === 'before') return `*${bare.slice(from)}`;
      if (way === 'after') return `${bare.slice(0, to)}*`;
      return way === 'around' ? `*${bare.slice(from, to)}*` : `${bare.slice(0, from)}*${bare.slice(to)}`;
    });

function testOf(key: Key): fc.Arbitrary<Predicate> {
  const { type } = qualifierDefinition(key);
  const words = wordsOf(key);
  const value = fc.constantFrom(...words).map((text): QualifierValue => ({ text }));
  const one = fc.array(value, { minLength: 1, maxLength: 3 }).map((values): Predicate => ({ kind: 'any', values }));
  if (type === 'text') {
    const wild = fc
      .constantFrom(...words)
      .chain(wildOf)
      .filter((text) => /[^*]/.test(text) && !text.startsWith('>') && !text.includes('..'))
      .map((text): Predicate => ({ kind: 'any', values: [{ text, wild: true }] }));
    return fc.oneof(
      { arbitrary: one, weight: 4 },
      { arbitrary: wild, weight: 3 },
      fc.constant<Predicate>({ kind: 'exists' }),
    );
  }
  if (!comparableTypes.has(type))
    return fc.oneof({ arbitrary: one, weight: 5 }, fc.constant<Predicate>({ kind: 'exists' }));
  const bound =
    type === 'share' ? fc.constantFrom(...queryVocabulary.share).map((text): QualifierValue => ({ text })) : value;
  return fc.oneof(
    one,
    fc
      .tuple(fc.constantFrom(...operators), bound)
      .map(([operator, of]): Predicate => ({ kind: 'compare', operator, value: of })),
    fc.tuple(bound, bound).map(([from, to]): Predicate => ({ kind: 'range', from, to })),
    bound.map((from): Predicate => ({ kind: 'range', from, to: null })),
    bound.map((to): Predicate => ({ kind: 'range', from: null, to })),
  );
}

const text: fc.Arbitrary<Node> = fc.oneof(
  fc
    .constantFrom(...queryVocabulary.words.filter((word) => word !== '--'))
    .map((word): Node => ({ kind: 'text', mode: 'word', text: word, ...nowhere })),
  fc
    .constantFrom('re', 'refac', 'lo', 'x', 'acme/a', 'gr', 'zz')
    .map((word): Node => ({ kind: 'text', mode: 'prefix', text: word, ...nowhere })),
  fc
    .constantFrom(...queryVocabulary.phrases, '--')
    .map((words): Node => ({ kind: 'text', mode: 'phrase', text: words, ...nowhere })),
);

/** Random queries with values of `vocabulary`, up to four levels deep. */
export const arbitraryQuery: fc.Arbitrary<Node> = fc.letrec<{ node: Node }>((tie) => {
  const parts = fc.array(tie('node'), { minLength: 2, maxLength: 3 });
  const qualifier = fc
    .constantFrom(...keyNames)
    .chain((key) => testOf(key).map((test): Node => ({ kind: 'qualifier', key, test, ...nowhere })));
  return {
    node: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.oneof({ arbitrary: qualifier, weight: 3 }, text),
      tie('node').map((of): Node => ({ kind: 'not', of, ...nowhere })),
      parts.map((of): Node => ({ kind: 'and', of, ...nowhere })),
      parts.map((of): Node => ({ kind: 'or', of, ...nowhere })),
    ),
  };
}).node;

/** Random choices that events are created from. */
export const arbitraryEvent = fc.record({
  at: fc.integer({ min: 0, max: 90 * 24 * 12 }),
  isNow: fc.constantFrom(false, false, false, true),
  kind: fc.constantFrom('commit', 'pull_request', 'vulnerability', 'web_page_view', 'ide_clipboard', 'tool', 'other'),
  actor: fc.constantFrom('ada', 'grace', 'linus', 'me', null),
  repo: fc.constantFrom('acme/api', 'acme/web', 'other/tool', null),
  pr: fc.constantFrom(1, 2, 12, 101, null, null),
  source: fc.constantFrom('github', 'vscode', 'chrome', 'firefox', 'checkmarx'),
  branch: fc.option(fc.constantFrom('main', 'release/1', 'release/2', 'feature/Login')),
  sha: fc.option(fc.constantFrom(`1f3a9c${'0'.repeat(34)}`, `1f3b${'1'.repeat(36)}`, `abcd1234${'a'.repeat(32)}`)),
  files: fc.uniqueArray(
    fc.constantFrom('src/auth/login.ts', 'src/auth/deep/token.ts', 'README.md', 'Dockerfile', 'src/web/app.tsx'),
    { maxLength: 3 },
  ),
  lang: fc.option(fc.constantFrom('typescript', 'go')),
  severities: fc.uniqueArray(fc.constantFrom('critical', 'high', 'medium', 'low', 'info'), { maxLength: 3 }),
  category: fc.option(fc.constantFrom('sast', 'sca')),
  reviews: fc.uniqueArray(fc.constantFrom('approved', 'changes_requested', 'commented'), { maxLength: 2 }),
  status: fc.option(fc.constantFrom('opened', 'merged', 'closed', 'fixed', 'open')),
  tool: fc.option(
    fc.constantFrom(
      ['claude-code', 'Claude Code', 'anthropic'] as const,
      ['github-copilot', 'GitHub Copilot', 'GitHub'] as const,
      ['trivy', 'Trivy', null] as const,
    ),
  ),
  agents: fc.uniqueArray(
    fc.constantFrom(
      { agent: 'claude', tool: 'claude-code', confidence: 'declared', model: 'claude-opus-4', session: 's1a2b3' },
      { agent: 'cursor', tool: 'cursor', confidence: 'inferred', model: 'gpt-5', session: 's9' },
      { agent: 'copilot', tool: 'github-copilot', confidence: 'observed', model: null, session: null },
    ),
    { maxLength: 2 },
  ),
  share: fc.constantFrom(0.1, 0.25, 0.5, 0.75, 1),
  found: fc.uniqueArray(
    fc.constantFrom(
      ['rule', 'js/sql-injection'] as const,
      ['rule', 'Reflected XSS'] as const,
      ['cwe', '79'] as const,
      ['cwe', '89'] as const,
      ['cve', 'CVE-2024-1234'] as const,
      ['cve', 'CVE-2021-44228'] as const,
      ['ghsa', 'GHSA-jfh8-c2jp-5v3q'] as const,
    ),
    { maxLength: 3 },
  ),
  tag: fc.constantFrom('v1.0', 'v2', null, null),
  isUnread: fc.constantFrom(true, false, false),
  site: fc.option(fc.constantFrom('chat.openai.com', 'openai.com', 'docs.github.com', 'github.com')),
  title: fc.constantFrom(
    'Fix login',
    'Drop table users',
    'drop the table',
    'Refactor the login',
    'Größe über alles',
    'a "quoted" 100% x1',
    'nothing',
    '',
  ),
});
export type ChosenEvent = typeof arbitraryEvent extends fc.Arbitrary<infer Of> ? Of : never;
