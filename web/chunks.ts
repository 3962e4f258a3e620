import { join } from 'node:path';
import { normalizePath, type Plugin, type Rolldown } from 'vite';

const src = `${normalizePath(join(import.meta.dirname, 'src'))}/`;

/** What a signed-in person's first screen is made of: some of it is fetched a moment later, but all of it each time. */
const firstScreen = [
  'app/ShellFrame.tsx',
  'app/NotificationBell.tsx',
  'features/home/HomePage.tsx',
  'features/home/Imports.tsx',
  'features/home/OpenVulnerabilities.tsx',
  'features/organizations/ArchivedBanner.tsx',
].map((file) => `${src}${file}`);
// Asked for by every page of an organisation before anything is drawn.
const flagsClient = /node_modules\/unleash-proxy-client\//;

/**
 * Two files instead of a hundred for what every signed-in screen begins with: on a phone's line each request costs more than
 * the bytes of a small one. What only other pages need is split as the bundler thinks best.
 */
export function chunks(): NonNullable<Rolldown.OutputOptions['codeSplitting']> {
  let ours: ReadonlySet<string> | undefined;
  return {
    groups: [
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

/** The frame is fetched beside the shell, not once the shell asks for it. */
export function preloadFrame(): Plugin {
  return {
    name: 'preload-frame',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const files = Object.keys(bundle ?? {}).filter((file) => /(^|\/)frame-[^/]*$/.test(file));
        return files.map((file) => ({
          tag: 'link',
          attrs: { rel: file.endsWith('.css') ? 'stylesheet' : 'modulepreload', crossorigin: '', href: `/${file}` },
          injectTo: 'head',
        }));
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
