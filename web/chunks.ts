import { basename, join } from 'node:path';
import { normalizePath, type Plugin, type Rolldown } from 'vite';

const src = `${normalizePath(join(import.meta.dirname, 'src'))}/`;

/**
 * The modules that pages load after the shell, which begin.js requests with it: otherwise the browser finds them only
 * once the shell has run. The pages that most sessions open.
 */
export const pageModules = {
  '/': 'domains/platform/home/HomePanels.tsx',
  '/explore': 'domains/timeline/explore/ExplorePage.tsx',
  '/vulnerabilities': 'domains/vulnerabilities/findings/VulnerabilitiesPage.tsx',
  '/repositories': 'domains/sources/repositories/RepositoriesPage.tsx',
  '/tools': 'domains/tools/tools/ToolsPage.tsx',
  '/evidence': 'domains/compliance/controls/EvidencePage.tsx',
};

/** The modules of the first signed-in screen. Some are loaded a moment later, but always. */
const firstScreen = ['app/ShellFrame.tsx', 'domains/platform/home/HomePage.tsx'].map((file) => `${src}${file}`);
// Requested by every page of an organization before rendering.
const flagsClient = /node_modules\/unleash-proxy-client\//;

// The schema library, and its configuration, which must run before the first schema.
const schemas = /node_modules\/zod\/|\/contract\/src\/|\/app\/zod\.ts/;

// Shared by the page and by what it loads later, which would otherwise include the page.
const exploreShared = /\/domains\/timeline\/explore\/(?:retentionText|useEventCounts|zone)\.ts$/;

// The panels of Home need the schemas of many domains, which would be a request each.
const panels = `${src}domains/platform/home/HomePanels.tsx`;
const contract = `${normalizePath(join(import.meta.dirname, '..', 'contract', 'src'))}/`;

/**
 * Bundles the modules of every signed-in screen into three files, and modules that many pages share into four more, since
 * each request on a mobile connection costs more than the bytes of a small file. The bundler splits the rest by itself.
 */
export function chunks(): NonNullable<Rolldown.OutputOptions['codeSplitting']> {
  let ours: ReadonlySet<string> | undefined;
  let homes: ReadonlySet<string> | undefined;
  return {
    groups: [
      { name: 'contract', tags: ['$initial'], test: schemas, priority: 9 },
      { name: 'shell', tags: ['$initial'], priority: 8 },
      {
        debugName: 'frame',
        // Includes only the used modules of packages, which the bundler knows.
        name: (id, modules) => {
          ours ??= withImports(firstScreen, (each) => modules.getModuleInfo(each)?.importedIds ?? []);
          return ours.has(id) || flagsClient.test(id) ? 'frame' : null;
        },
        priority: 7,
      },
      { name: 'explore-shared', test: exploreShared, priority: 6 },
      // Of about 130 pages, dialogs and panels that are loaded separately.
      { name: 'common', minShareCount: 50, priority: 5 },
      { name: 'icons', test: /\/@tabler\//, minShareCount: 2, priority: 4 },
      {
        debugName: 'schemas',
        name: (id, modules) => {
          homes ??= withImports([panels], (each) => modules.getModuleInfo(each)?.importedIds ?? []);
          return id.startsWith(contract) && homes.has(id) ? 'schemas' : null;
        },
        priority: 3,
      },
      { name: 'often', test: /\/web\/src\/|\/@mantine\//, minShareCount: 12, priority: 2 },
    ],
  };
}

/**
 * Adds the files to the page. The frame is loaded in parallel with the shell, and scripts follow the styles of the page
 * skeleton. Schemas are a separate script, so that the browser can respond between them and the shell.
 */
export function injectChunkTags(): Plugin {
  return {
    name: 'named-in-page',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (bundle === undefined) return html;
        const called = (name: string, type: string) =>
          Object.keys(bundle).filter((file) => basename(file).startsWith(`${name}-`) && file.endsWith(type));
        const before = called('contract', '.js').map(
          (file) => `<script type="module" crossorigin src="/${file}"></script>`,
        );
        const after = [
          ...called('frame', '.js').map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
          ...called('frame', '.css').map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
        ];
        const inPage = [...called('contract', '.js'), ...called('frame', '.js'), ...called('frame', '.css')];
        const pageFiles = JSON.stringify(filesOfPages(bundle, [...inPage, ...entryFiles(bundle)]));
        return html
          .replace(
            '<script src="/begin.js">',
            `<script type="application/json" id="page-files">${pageFiles}</script>\n    <script src="/begin.js">`,
          )
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
    for (const imported of importsOf(id))
      if (imported.startsWith(src) || imported.startsWith(contract)) seen.add(imported);
  }
  return seen;
}

const entryFiles = (bundle: Rolldown.OutputBundle): string[] =>
  Object.values(bundle).flatMap((chunk) =>
    chunk.type === 'chunk' && chunk.isEntry ? withFiles(bundle, chunk.fileName) : [],
  );

/** Returns the files of each page that are not in `inPage`, as positions in a list of all of them. */
function filesOfPages(bundle: Rolldown.OutputBundle, inPage: readonly string[]) {
  const files: string[] = [];
  const positionOf = (file: string) => (files.includes(file) ? files.indexOf(file) : files.push(file) - 1);
  const pages = Object.entries(pageModules).map(([path, module]) => {
    const chunk = Object.values(bundle).find((one) => one.type === 'chunk' && one.facadeModuleId === `${src}${module}`);
    if (chunk === undefined) throw new Error(`The build has no file of ${module}.`);
    const own = withFiles(bundle, chunk.fileName).filter((file) => !inPage.includes(file));
    return [path, own.map(positionOf)] as const;
  });
  return { files, pages: Object.fromEntries(pages) };
}

/** Returns a file with those that it imports, and their styles. */
function withFiles(bundle: Rolldown.OutputBundle, fileName: string): string[] {
  const files = new Set([fileName]);
  for (const file of files) {
    const chunk = bundle[file];
    if (chunk?.type !== 'chunk') continue;
    for (const one of [...chunk.imports, ...(chunk.viteMetadata?.importedCss ?? [])]) files.add(one);
  }
  return [...files];
}
