import { basename, join } from 'node:path';
import { normalizePath, type Plugin, type Rolldown } from 'vite';

const src = `${normalizePath(join(import.meta.dirname, 'src'))}/`;

/** What a signed-in person's first screen is made of: some of it is fetched a moment later, but all of it each time. */
const firstScreen = [
  'app/ShellFrame.tsx',
  'app/NotificationBell.tsx',
  'domains/platform/home/HomePage.tsx',
  'domains/platform/home/Imports.tsx',
  'domains/platform/home/OpenVulnerabilities.tsx',
  'domains/organization/organizations/ArchivedBanner.tsx',
].map((file) => `${src}${file}`);
// Asked for by every page of an organization before anything is drawn.
const flagsClient = /node_modules\/unleash-proxy-client\//;

// What makes schemas, and what is set for that before the first of them.
const schemas = /node_modules\/zod\/|\/contract\/src\/|\/app\/zod\.ts/;

/**
 * Three files instead of a hundred for what every signed-in screen begins with: on a phone's line each request costs more than
 * the bytes of a small one. What only other pages need is split as the bundler thinks best.
 */
export function chunks(): NonNullable<Rolldown.OutputOptions['codeSplitting']> {
  let ours: ReadonlySet<string> | undefined;
  return {
    groups: [
      { name: 'contract', tags: ['$initial'], test: schemas, priority: 3 },
      { name: 'shell', tags: ['$initial'], priority: 2 },
      {
        debugName: 'frame',
        // Of packages only what these files use comes along, which the bundler knows better.
        name: (id, modules) => {
          ours ??= withImports(firstScreen, (each) => modules.getModuleInfo(each)?.importedIds ?? []);
          return ours.has(id) || flagsClient.test(id) ? 'frame' : null;
        },
        priority: 1,
      },
    ],
  };
}

/**
 * How the page names its files. The frame is fetched beside the shell, not once the shell asks for it; scripts come after what
 * draws the page's bones; and schemas are a script of their own, so that the browser can answer between them and the shell.
 */
export function namedInPage(): Plugin {
  return {
    name: 'named-in-page',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const called = (name: string, type: string) =>
          Object.keys(bundle ?? {}).filter((file) => basename(file).startsWith(`${name}-`) && file.endsWith(type));
        const before = called('contract', '.js').map(
          (file) => `<script type="module" crossorigin src="/${file}"></script>`,
        );
        const after = [
          ...called('frame', '.js').map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
          ...called('frame', '.css').map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
        ];
        return html
          .replace(/ *<link rel="modulepreload"[^>]*\/contract-[^>]*>\n/, '')
          .replace('<script type="module"', `${before.join('\n    ')}\n    <script type="module"`)
          .replace(/ *<\/head>/, `    ${after.join('\n    ')}\n  </head>`)
          .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"');
      },
    },
  };
}

function withImports(files: readonly string[], importsOf: (id: string) => readonly string[]): Set<string> {
  const seen = new Set(files);
  for (const id of seen) {
    for (const imported of importsOf(id)) if (imported.startsWith(src)) seen.add(imported);
  }
  return seen;
}
