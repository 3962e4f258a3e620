import { architectureTest, domainsPath, type Mutation, mutation } from '../guard.ts';

const browserExtension = 'extensions/browser/src';
const browserTest = (name: string) => `${browserExtension}/background/${name}.test.ts`;
const told = 'domains/timeline/events/extension-text.test.ts';
const telemetry = 'extensions/telemetry/src';

export const reportingGuards: readonly Mutation[] = [
  mutation(
    'Of an event of an extension only what has the form of its name is kept',
    `${domainsPath}/timeline/events/identifiers.ts`,
    'value !== undefined && (formOf(type, name) ?? forms[name]).test(value)',
    'value !== undefined',
    told,
  ),
  mutation(
    'A query that cannot be read is refused at its place',
    `${domainsPath}/timeline/events/queries.ts`,
    "if ('problem' in parsed) throw refusalOf(parsed.problem);",
    "if ('problem' in parsed) return questionOf(services, actor, { context, query: '', offset }, filters);",
    'domains/timeline/events/language.test.ts',
  ),
  mutation(
    'A repository that is not enabled is not named',
    `${domainsPath}/timeline/events/extension-text.ts`,
    "if (!repository) return identifiers.repository === undefined ? say : say.add('in a repository that is not enabled');",
    '',
    told,
  ),
  mutation(
    'An event leaves the queue only once the server has counted it',
    `${telemetry}/verdict.ts`,
    "isAnswer(reply.body) ? settled(reply.body, batch) : { kind: 'wait' }",
    'settled(reply.body as Answer, batch)',
    `${telemetry}/sender.test.ts`,
  ),
  mutation(
    'The events of one account are not sent with the sign-in of another',
    `${telemetry}/sender.ts`,
    ', (event) => isEventOf(event, who)',
    '',
    `${telemetry}/sender.test.ts`,
  ),
  mutation(
    'An editor tells no branch of a repository that is not enabled',
    `${domainsPath}/tools/presence/sockets.ts`,
    'branch: opened.repository ? given.branch : null',
    'branch: given.branch',
    architectureTest('canary'),
  ),
  mutation(
    'A page in a private window is not reported',
    `${browserExtension}/background/pages.ts`,
    'tab.incognito || ',
    '',
    browserTest('pages'),
  ),
  mutation(
    'A page of a site that is not reported is not',
    `${browserExtension}/background/pages.ts`,
    'siteOf(tab.url, await permittedSites())',
    'siteOf(tab.url, [new URL(tab.url).hostname])',
    browserTest('pages'),
  ),
  mutation(
    'A site that the browser does not let be seen is not reported',
    `${browserExtension}/background/sites.ts`,
    'return sites.filter((_, index) => permitted[index]);',
    'return permitted.length === 0 ? [] : sites;',
    browserTest('sites'),
  ),
  mutation(
    'Nothing is recorded while its person paused it',
    `${browserExtension}/background/recording.ts`,
    " && !isPaused((await localState.get('pause')) ?? null, Date.now())",
    " || isPaused((await localState.get('pause')) ?? null, Date.now())",
    browserTest('pages'),
    browserTest('clipboard'),
  ),
  mutation(
    'A copy from a frame of another site is not reported',
    `${browserExtension}/background/clipboard.ts`,
    "sender.url ?? sender.tab.url ?? ''",
    "sender.tab.url ?? ''",
    browserTest('clipboard'),
  ),
  mutation(
    'A copy in a private window is not reported',
    `${browserExtension}/background/clipboard.ts`,
    'sender.tab.incognito || ',
    '',
    browserTest('clipboard'),
  ),
  mutation(
    'A password that is copied is not looked at',
    `${browserExtension}/copied-text.ts`,
    "target.type === 'password'",
    "target.type === ''",
    `${browserExtension}/copied-text.test.ts`,
  ),
  mutation(
    'A code is taken with the state it was asked with',
    `${browserExtension}/background/signing-in.ts`,
    " || searchParams.get('state') !== pending.state",
    '',
    browserTest('signing-in'),
  ),
  mutation(
    'A code is taken from the own server',
    `${browserExtension}/background/signing-in.ts`,
    'origin !== pending.server || ',
    '',
    browserTest('signing-in'),
  ),
  mutation(
    'A code is taken once',
    `${browserExtension}/background/signing-in.ts`,
    'await inTurn(() => codeIn(tab))',
    'await codeIn(tab)',
    browserTest('signing-in'),
  ),
  mutation(
    'Only pages of the extension command its background',
    `${browserExtension}/entrypoints/background.ts`,
    '|| !sender.url?.startsWith(',
    '|| sender.id?.startsWith(',
    browserTest('background'),
  ),
  mutation(
    'A server is reached over TLS, unless it is on this machine',
    `${browserExtension}/server-address.ts`,
    "if (url.protocol === 'http:' && !own.has(url.hostname)) {",
    "if (url.protocol === 'gopher:' && !own.has(url.hostname)) {",
    `${browserExtension}/server-address.test.ts`,
  ),
];
