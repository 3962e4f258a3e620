import { architectureTest, domainsPath, type Mutation, mutation } from '../guard.ts';

const browserExtension = 'extensions/browser/src';
const browserTest = (name: string) => `${browserExtension}/background/${name}.test.ts`;
const told = 'domains/timeline/events/extension-text.test.ts';
const telemetry = 'extensions/telemetry/src';

export const reportingGuards: readonly Mutation[] = [
  mutation(
    'stores only values in the form of their identifier',
    `${domainsPath}/timeline/events/identifiers.ts`,
    'value !== undefined && (formOf(type, name) ?? forms[name]).test(value)',
    'value !== undefined',
    told,
  ),
  mutation(
    'rejects an unreadable query with the position of the problem',
    `${domainsPath}/timeline/events/queries.ts`,
    "if ('problem' in parsed) throw refusalOf(parsed.problem);",
    "if ('problem' in parsed) return questionOf(services, actor, { context, query: '', offset }, filters);",
    'domains/timeline/events/language.test.ts',
  ),
  mutation(
    'hides the name of a repository that is not enabled',
    `${domainsPath}/timeline/events/extension-text.ts`,
    "if (!repository) return identifiers.repository === undefined ? say : say.add('in a repository that is not enabled');",
    '',
    told,
  ),
  mutation(
    'removes an event from the queue only after the server confirmed it',
    `${telemetry}/verdict.ts`,
    "isAnswer(reply.body) ? settled(reply.body, batch) : { kind: 'wait' }",
    'settled(reply.body as Answer, batch)',
    `${telemetry}/sender.test.ts`,
  ),
  mutation(
    'does not send events with the grant of another account',
    `${telemetry}/sender.ts`,
    ', (event) => isEventOf(event, who)',
    '',
    `${telemetry}/sender.test.ts`,
  ),
  mutation(
    'does not report branches of repositories that are not enabled',
    `${domainsPath}/tools/presence/sockets.ts`,
    'branch: opened.repository ? given.branch : null',
    'branch: given.branch',
    architectureTest('canary'),
  ),
  mutation(
    'does not report pages of private windows',
    `${browserExtension}/background/pages.ts`,
    'tab.incognito || ',
    '',
    browserTest('pages'),
  ),
  mutation(
    'does not report pages of sites out of scope',
    `${browserExtension}/background/pages.ts`,
    'siteOf(tab.url, await permittedSites())',
    'siteOf(tab.url, [new URL(tab.url).hostname])',
    browserTest('pages'),
  ),
  mutation(
    'does not report sites without browser permission',
    `${browserExtension}/background/sites.ts`,
    'return sites.filter((_, index) => permitted[index]);',
    'return permitted.length === 0 ? [] : sites;',
    browserTest('sites'),
  ),
  mutation(
    'records nothing while paused',
    `${browserExtension}/background/recording.ts`,
    " && !isPaused((await localState.get('pause')) ?? null, Date.now())",
    " || isPaused((await localState.get('pause')) ?? null, Date.now())",
    browserTest('pages'),
    browserTest('clipboard'),
  ),
  mutation(
    'does not report copies from frames of other sites',
    `${browserExtension}/background/clipboard.ts`,
    "sender.url ?? sender.tab.url ?? ''",
    "sender.tab.url ?? ''",
    browserTest('clipboard'),
  ),
  mutation(
    'does not report copies in private windows',
    `${browserExtension}/background/clipboard.ts`,
    'sender.tab.incognito || ',
    '',
    browserTest('clipboard'),
  ),
  mutation(
    'does not read copied passwords',
    `${browserExtension}/copied-text.ts`,
    "target.type === 'password'",
    "target.type === ''",
    `${browserExtension}/copied-text.test.ts`,
  ),
  mutation(
    'requires the state of the sign-in with a code',
    `${browserExtension}/background/signing-in.ts`,
    " || searchParams.get('state') !== pending.state",
    '',
    browserTest('signing-in'),
  ),
  mutation(
    'accepts a code only from the configured server',
    `${browserExtension}/background/signing-in.ts`,
    'origin !== pending.server || ',
    '',
    browserTest('signing-in'),
  ),
  mutation(
    'redeems a code once',
    `${browserExtension}/background/signing-in.ts`,
    'await inTurn(() => codeIn(tab))',
    'await codeIn(tab)',
    browserTest('signing-in'),
  ),
  mutation(
    'accepts messages only from pages of the extension',
    `${browserExtension}/entrypoints/background.ts`,
    '|| !sender.url?.startsWith(',
    '|| sender.id?.startsWith(',
    browserTest('background'),
  ),
  mutation(
    'requires TLS except for the local machine',
    `${browserExtension}/server-address.ts`,
    "if (url.protocol === 'http:' && !own.has(url.hostname)) {",
    "if (url.protocol === 'gopher:' && !own.has(url.hostname)) {",
    `${browserExtension}/server-address.test.ts`,
  ),
];
