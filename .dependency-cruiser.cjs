/**
 * The import rules of docs/architecture.md: which package may import which. `npm run dependencies:check` checks them.
 * It cannot detect `process.env`, the global `fetch` and barrel files.
 */

const tests = '([.](test|fixture)[.]tsx?|/testing/.*|^server/src/architecture/.*)$';

/** A rule for product code. Tests may import from any package. */
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
        `${domain}-depends-only-on-lower-domains-in-${folder.split('/')[0]}`,
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
    `platform-does-not-import-domains-in-${folder.split('/')[0]}`,
    'Health, documentation and the built pages serve every domain.',
    { path: `^${folder}/platform/` },
    { path: `^${folder}/(${domains.flat().join('|')})/` },
  ),
];

const anywhere = {
  forbidden: [
    {
      name: 'no-circular-imports',
      comment: 'Merge two files that import each other, or move what both need into a third. Imports of types count.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved-imports',
      comment: 'The path is wrong, or the package is not installed.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    rule(
      'no-undeclared-packages',
      'The package is only an indirect dependency. Add it to the package.json of this package. Tests may use those of the root.',
      {},
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    rule(
      'product-does-not-import-tests',
      'Code that runs at a customer must not import tests, fixtures or testing/.',
      { path: '^(contract|evidence|server|sandbox|web|extensions/[^/]+)/src/', pathNot: ['[.]config[.]ts$'] },
      { path: tests },
    ),
    rule(
      'product-does-not-import-dev-dependencies',
      'A devDependency is not installed at a customer. Make it a dependency of this package.',
      { path: '^(contract|evidence|server|sandbox)/src/' },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
  ],
};

const programs = {
  forbidden: [
    rule(
      'contract-imports-only-zod',
      'Every program imports contract/, so it depends only on zod.',
      { path: '^contract/src/' },
      { pathNot: ['^contract/src/', '^node_modules/zod/'] },
    ),
    rule(
      'evidence-has-minimal-dependencies',
      'Auditors run evidence/ offline: it depends on four small packages and neither on Node nor on a browser.',
      { path: '^evidence/src/' },
      { pathNot: ['^evidence/src/', '^node_modules/(@noble/(hashes|ed25519|post-quantum)|fflate)/'] },
    ),
    rule(
      'server-and-web-share-only-the-contract',
      'server and web share types and schemas only through contract/.',
      { path: '^(server|web)/src/' },
      { path: '^(server|web|sandbox)/', pathNot: '^$1/' },
    ),
    rule(
      'sandbox-does-not-import-our-programs',
      'The sandbox uses the wire format of the code hosts, so it must not import our types.',
      { path: '^sandbox/src/' },
      { path: '^(server|web|contract)/' },
    ),
  ],
};

const server = {
  forbidden: [
    rule(
      'core-does-not-import-domains',
      'core, database and providers serve every domain, so they must not import one.',
      { path: '^server/src/(core|database|providers)/' },
      { path: '^server/src/(domains/|app|compose|main|resume)' },
    ),
    rule(
      'database-is-the-lowest-layer',
      'database/ opens connections and runs SQL, and does not depend on its callers.',
      { path: '^server/src/database/' },
      { path: '^server/src/(core|providers)/' },
    ),
    rule(
      'only-public-entries-of-features',
      'Of another feature, import only queries.ts (reads), commands.ts (changes) and topics.ts (subscriptions). Also public: intake, states and status of findings, rows of changes, the drawing of reports of snapshots, the catalog and evaluation of controls, display data of persons, and the manifest of integrations.',
      { path: '^server/src/domains/([^/]+/[^/]+)/' },
      {
        path: '^server/src/domains/',
        pathNot:
          '^server/src/domains/($1/|[^/]+/[^/]+/(queries|commands|topics)[.]ts$|sources/integrations/(manifest|permissions|count-text)[.]ts$|timeline/events/new-event[.]ts$|tools/tools/persons[.]ts$|vulnerabilities/findings/(intake|states|status)[.]ts$|compliance/changes/rows[.]ts$|compliance/snapshots/report/draw[.]ts$|compliance/controls/(catalog|evaluate-population|populations/population)[.]ts$)',
      },
    ),
    ...domainRules('server/src/domains'),
    ...domainRules('contract/src'),
    rule(
      'queries-do-not-import-commands',
      'A query changes nothing, so queries.ts must not import commands.',
      { path: '^server/src/domains/.+/queries[.]ts$' },
      { path: '/(commands|routes|jobs)[.]ts$' },
    ),
    rule(
      'outbound-calls-only-in-providers-and-core',
      'Only a provider, core/outbound.ts or core/egress.ts calls other machines: they check limits, timeouts and addresses.',
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
      'ui-has-no-data-access',
      'ui/ renders its properties and requests no data.',
      { path: '^web/src/ui/' },
      { path: '^web/src/(lib|domains|app)/|^node_modules/(@tanstack/react-query|socket[.]io-client|oidc-client-ts)/' },
    ),
    rule(
      'lib-has-no-components',
      'lib/ accesses the server and renders nothing.',
      { path: '^web/src/lib/' },
      { path: '^web/src/(ui|domains|app)/|^node_modules/@mantine/' },
    ),
    rule(
      'pages-do-not-import-other-features',
      'A page never imports from another feature: the router combines them, and they share code through ui/ and lib/. Waivers are requested and decided on the pages of findings and controls, so their dialog, its actions and the link to them are public. Lists of most features have saved views, so their menu and the table with it are public.',
      { path: '^web/src/domains/([^/]+/[^/]+)/' },
      {
        path: '^web/src/domains/',
        pathNot:
          '^web/src/domains/($1/|vulnerabilities/waivers/(WaiverDialog|WaiversLink)[.]tsx$|vulnerabilities/waivers/waiver-action[.]ts$|timeline/views/(ListByView|ListTable|ListToolbar|ListViews|SavedViews)[.]tsx$)',
      },
    ),
    rule(
      'pages-do-not-import-app',
      'app/ combines the pages, so no page may import it.',
      { path: '^web/src/domains/' },
      { path: '^web/src/app/' },
    ),
  ],
};

const extensions = {
  forbidden: [
    rule(
      'telemetry-is-platform-independent',
      'The shared core of the extensions depends on neither editor, browser nor Node, so that tests run without them.',
      { path: '^extensions/telemetry/src/' },
      { pathNot: ['^extensions/telemetry/src/', '^contract/src/'] },
    ),
    rule(
      'extensions-import-only-telemetry-and-contract',
      'An extension runs separately: it imports the shared core of extensions and the types of the API.',
      { path: '^extensions/(editor|browser)/src/' },
      { path: '^(server|web|sandbox|extensions)/', pathNot: '^extensions/($1|telemetry)/|node_modules' },
    ),
    rule(
      'extensions-do-not-bundle-schemas',
      'An extension imports types of the contract, and lists without dependencies: schemas would double its size.',
      { path: '^extensions/' },
      {
        path: '^contract/',
        pathNot: '^contract/src/(timeline/identifiers|tools/sites|tools/describe-mcp-servers)[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'programs-do-not-import-extensions',
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
    // Virtual modules of Vite plugins are not files.
    exclude: { path: '[.](css|svg|woff2)$|^virtual:' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default', 'node'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.json'],
    },
  },
};
