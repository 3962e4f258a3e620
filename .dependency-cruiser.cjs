/**
 * The import rules of docs/architecture.md: which package may import which. `npm run dependencies:check` checks them.
 * Not to be seen from here: `process.env`, the global `fetch` and barrel files.
 */

const tests = '([.](test|fixture)[.]tsx?|/testing/.*|^server/src/architecture/.*)$';

/** One rule about product code; tests may build their scene from any package. */
const rule = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { ...from, pathNot: [tests, ...(from.pathNot ?? [])] },
  to,
});

/** The domains, from the lowest up, each with those that it may import. docs/architecture.md. */
const domains = [
  'delivery',
  'identity',
  'organization',
  'ledger',
  'timeline',
  'sources',
  ['vulnerabilities', 'tools'],
  'compliance',
];

/** A domain imports those below it, and none above or beside it. The platform imports no domain. */
const domainRules = (folder) => [
  ...domains.flatMap((layer, level) =>
    [layer].flat().map((domain) =>
      rule(
        `${domain}-depends-downward-in-${folder.split('/')[0]}`,
        'A domain never imports a higher one: publish a topic, or declare a property of Services that domains/ports.ts fills.',
        { path: `^${folder}/${domain}/` },
        {
          path: `^${folder}/(${[
            ...domains
              .slice(level)
              .flat()
              .filter((other) => other !== domain),
            'platform',
          ].join('|')})/`,
        },
      ),
    ),
  ),
  rule(
    `platform-knows-no-domain-in-${folder.split('/')[0]}`,
    'Health, documentation and the built pages serve every domain.',
    { path: `^${folder}/platform/` },
    { path: `^${folder}/(${domains.flat().join('|')})/` },
  ),
];

const anywhere = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or lack a third. Imports of types count.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'every-import-resolves',
      comment: 'The path is wrong, or the package is not installed.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    rule(
      'packages-are-declared',
      'The package is in node_modules by chance. Add it to the package.json of this package. Tests may use those of the root.',
      {},
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    rule(
      'the-product-needs-no-test',
      'Code that runs at a customer must not lean on tests, fixtures or testing/.',
      { path: '^(contract|evidence|server|sandbox|web|extensions/[^/]+)/src/', pathNot: ['[.]config[.]ts$'] },
      { path: tests },
    ),
    rule(
      'the-product-needs-no-tool',
      'A devDependency is not there at a customer. Make it a dependency of this package.',
      { path: '^(contract|evidence|server|sandbox)/src/' },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
  ],
};

const programs = {
  forbidden: [
    rule(
      'the-contract-stands-alone',
      'contract/ is read by every program, so it depends on zod and nothing else.',
      { path: '^contract/src/' },
      { pathNot: ['^contract/src/', '^node_modules/zod/'] },
    ),
    rule(
      'evidence-trusts-nobody',
      'evidence/ is what an auditor runs without us: it needs three small packages and neither Node nor a browser.',
      { path: '^evidence/src/' },
      { pathNot: ['^evidence/src/', '^node_modules/(@noble/(hashes|ed25519)|fflate)/'] },
    ),
    rule(
      'programs-meet-in-the-contract',
      'server and web know each other by the contract only.',
      { path: '^(server|web)/src/' },
      { path: '^(server|web|sandbox)/', pathNot: '^$1/' },
    ),
    rule(
      'the-sandbox-stands-alone',
      'The sandbox speaks the wire format of the code host, so it must not know ours.',
      { path: '^sandbox/src/' },
      { path: '^(server|web|contract)/' },
    ),
  ],
};

const server = {
  forbidden: [
    rule(
      'core-knows-no-domain',
      'core, database and providers serve every domain, so they must not know one.',
      { path: '^server/src/(core|database|providers)/' },
      { path: '^server/src/(domains/|app|compose|main|resume)' },
    ),
    rule(
      'the-database-is-the-lowest-step',
      'database/ opens connections and runs SQL; who asks is not its business.',
      { path: '^server/src/database/' },
      { path: '^server/src/(core|providers)/' },
    ),
    rule(
      'features-have-public-entries',
      'Of another feature, import queries.ts (to ask), commands.ts (to change) and topics.ts (to subscribe), nothing else; of findings also their intake and how their status is worked out, of changes also what controls evaluate, of controls also what they are and how they are evaluated, of integrations also what a card is.',
      { path: '^server/src/domains/([^/]+/[^/]+)/' },
      {
        path: '^server/src/domains/',
        pathNot:
          '^server/src/domains/($1/|[^/]+/[^/]+/(queries|commands|topics)[.]ts$|sources/integrations/(manifest|permissions|count-text)[.]ts$|timeline/events/new-event[.]ts$|vulnerabilities/findings/(intake|status)[.]ts$|compliance/changes/rows[.]ts$|compliance/controls/(catalog|evaluate-population|populations/population)[.]ts$)',
      },
    ),
    ...domainRules('server/src/domains'),
    ...domainRules('contract/src'),
    rule(
      'queries-only-ask',
      'A question changes nothing: queries.ts must not reach for commands.',
      { path: '^server/src/domains/.+/queries[.]ts$' },
      { path: '/(commands|routes|jobs)[.]ts$' },
    ),
    rule(
      'the-outside-has-one-door',
      'Only a provider, core/outbound.ts or core/egress.ts calls other machines: there limits, time-outs and addresses are checked.',
      {
        path: '^server/src/',
        pathNot: ['^server/src/providers/', '^server/src/core/(outbound|egress)[.]ts$'],
      },
      {
        path: '^(node:)?https?$|^node_modules/(undici|octokit|@octokit|nodemailer)/',
        dependencyTypesNot: ['type-only'],
      },
    ),
  ],
};

const web = {
  forbidden: [
    rule(
      'ui-only-draws',
      'ui/ shows what it is given. It asks nobody, so it can be drawn anywhere.',
      { path: '^web/src/ui/' },
      { path: '^web/src/(lib|domains|app)/|^node_modules/(@tanstack/react-query|socket[.]io-client|oidc-client-ts)/' },
    ),
    rule(
      'lib-only-asks',
      'lib/ talks to the server. It draws nothing.',
      { path: '^web/src/lib/' },
      { path: '^web/src/(ui|domains|app)/|^node_modules/@mantine/' },
    ),
    rule(
      'pages-are-islands',
      'A page never imports from another feature: they meet in the router, or share through ui/ and lib/. Waivers are requested and decided on the pages of findings and controls, so their dialog, its actions and the link to them are public. Lists of several features have saved views, so their menu is public.',
      { path: '^web/src/domains/([^/]+/[^/]+)/' },
      {
        path: '^web/src/domains/',
        pathNot:
          '^web/src/domains/($1/|vulnerabilities/waivers/(WaiverDialog|WaiversLink)[.]tsx$|vulnerabilities/waivers/waiver-action[.]ts$|timeline/views/(ListViews|SavedViews)[.]tsx$)',
      },
    ),
    rule(
      'pages-do-not-know-the-frame',
      'app/ holds the pages together, so no page may need it.',
      { path: '^web/src/domains/' },
      { path: '^web/src/app/' },
    ),
  ],
};

const extensions = {
  forbidden: [
    rule(
      'telemetry-runs-anywhere',
      'The shared core of the extensions knows neither editor nor browser nor Node, so that it can be tried out without.',
      { path: '^extensions/telemetry/src/' },
      { pathNot: ['^extensions/telemetry/src/', '^contract/src/'] },
    ),
    rule(
      'extensions-know-telemetry-and-the-contract',
      'An extension runs on its own: of ours it needs what extensions share, and what the server takes.',
      { path: '^extensions/(editor|browser)/src/' },
      { path: '^(server|web|sandbox|extensions)/', pathNot: '^extensions/($1|telemetry)/|node_modules' },
    ),
    rule(
      'extensions-carry-no-schemas',
      'Of the contract an extension takes types, and the lists that need nothing: schemas would double its size.',
      { path: '^extensions/' },
      {
        path: '^contract/',
        pathNot: '^contract/src/(timeline/identifiers|tools/sites)[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'programs-know-no-extension',
      'Extensions are built and installed apart from the server.',
      { path: '^(contract|server|sandbox|web)/' },
      { path: '^extensions/' },
    ),
  ],
};

module.exports = {
  forbidden: [anywhere, programs, server, web, extensions].flatMap(({ forbidden }) => forbidden),
  options: {
    // Imports of types count: a package that is imported for its types is imported.
    tsPreCompilationDeps: true,
    // A package is declared in the package.json of its own workspace.
    combinedDependencies: false,
    doNotFollow: { path: 'node_modules' },
    // What a plugin of Vite makes is no file.
    exclude: { path: '[.](css|svg|woff2)$|^virtual:' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default', 'node'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.json'],
    },
  },
};
