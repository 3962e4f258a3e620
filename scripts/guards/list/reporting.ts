import { architecture, domains, type Guard, guard } from '../guard.ts';

const browserExtension = 'extensions/browser/src';
const browserTest = (name: string) => `${browserExtension}/background/${name}.test.ts`;
const told = 'domains/timeline/events/extension-text.test.ts';
const telemetry = 'extensions/telemetry/src';

export const reportingGuards: readonly Guard[] = [
  guard(
    'Of an event of an extension only what has the form of its name is kept',
    `${domains}/timeline/events/identifiers.ts`,
    'value !== undefined && (formOf(type, name) ?? forms[name]).test(value)',
    'value !== undefined',
    told,
  ),
  guard(
    'A query that cannot be read is refused at its place',
    `${domains}/timeline/events/queries.ts`,
    "if ('problem' in parsed) throw refusalOf(parsed.problem);",
    "if ('problem' in parsed) return questionOf(services, actor, { context, query: '', offset }, filters);",
    'domains/timeline/events/language.test.ts',
  ),
  guard(
    'A repository that is not enabled is not named',
    `${domains}/timeline/events/extension-text.ts`,
    "if (!repository) return identifiers.repository === undefined ? say : say.add('in a repository that is not enabled');",
    '',
    told,
  ),
  guard(
    'An event leaves the queue only once the server has counted it',
    `${telemetry}/verdict.ts`,
    "isAnswer(reply.body) ? settled(reply.body, batch) : { kind: 'wait' }",
    'settled(reply.body as Answer, batch)',
    `${telemetry}/sender.test.ts`,
  ),
  guard(
    'The events of one account are not sent with the sign-in of another',
    `${telemetry}/sender.ts`,
    ', (event) => isEventOf(event, who)',
    '',
    `${telemetry}/sender.test.ts`,
  ),
  guard(
    'An editor tells no branch of a repository that is not enabled',
    `${domains}/tools/presence/sockets.ts`,
    'branch: opened.repository ? given.branch : null',
    'branch: given.branch',
    architecture('canary'),
  ),
  guard(
    'A page in a private window is not reported',
    `${browserExtension}/background/pages.ts`,
    'tab.incognito || ',
    '',
    browserTest('pages'),
  ),
  guard(
    'A page of a site that is not reported is not',
    `${browserExtension}/background/pages.ts`,
    'siteOf(tab.url, await permittedSites())',
    'siteOf(tab.url, [new URL(tab.url).hostname])',
    browserTest('pages'),
  ),
  guard(
    'A site that the browser does not let be seen is not reported',
    `${browserExtension}/background/sites.ts`,
    'return sites.filter((_, index) => permitted[index]);',
    'return permitted.length === 0 ? [] : sites;',
    browserTest('sites'),
  ),
  guard(
    'Nothing is recorded while its person paused it',
    `${browserExtension}/background/recording.ts`,
    " && !isPaused((await localState.get('pause')) ?? null, Date.now())",
    " || isPaused((await localState.get('pause')) ?? null, Date.now())",
    browserTest('pages'),
    browserTest('clipboard'),
  ),
  guard(
    'A copy from a frame of another site is not reported',
    `${browserExtension}/background/clipboard.ts`,
    "sender.url ?? sender.tab.url ?? ''",
    "sender.tab.url ?? ''",
    browserTest('clipboard'),
  ),
  guard(
    'A copy in a private window is not reported',
    `${browserExtension}/background/clipboard.ts`,
    'sender.tab.incognito || ',
    '',
    browserTest('clipboard'),
  ),
  guard(
    'A password that is copied is not looked at',
    `${browserExtension}/copied-text.ts`,
    "target.type === 'password'",
    "target.type === ''",
    `${browserExtension}/copied-text.test.ts`,
  ),
  guard(
    'A code is taken with the state it was asked with',
    `${browserExtension}/background/signing-in.ts`,
    " || searchParams.get('state') !== pending.state",
    '',
    browserTest('signing-in'),
  ),
  guard(
    'A code is taken from the own server',
    `${browserExtension}/background/signing-in.ts`,
    'origin !== pending.server || ',
    '',
    browserTest('signing-in'),
  ),
  guard(
    'A code is taken once',
    `${browserExtension}/background/signing-in.ts`,
    'await inTurn(() => codeIn(tab))',
    'await codeIn(tab)',
    browserTest('signing-in'),
  ),
  guard(
    'Only pages of the extension command its background',
    `${browserExtension}/entrypoints/background.ts`,
    '|| !sender.url?.startsWith(',
    '|| sender.id?.startsWith(',
    browserTest('background'),
  ),
  guard(
    'A server is reached over TLS, unless it is on this machine',
    `${browserExtension}/server-address.ts`,
    "if (url.protocol === 'http:' && !own.has(url.hostname)) {",
    "if (url.protocol === 'gopher:' && !own.has(url.hostname)) {",
    `${browserExtension}/server-address.test.ts`,
  ),
];
