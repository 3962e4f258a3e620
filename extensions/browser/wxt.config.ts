import { readFileSync } from 'node:fs';
import { defineConfig } from 'wxt';
import { manifestFor } from './src/manifest.ts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

export default defineConfig({
  srcDir: 'src',
  manifestVersion: 3,
  imports: false,
  manifest: ({ browser, mode }) => manifestFor(browser, mode, version),
  zip: {
    name: 'sightline',
    artifactTemplate: 'sightline-{{browser}}-{{version}}.zip',
    sourcesTemplate: 'sightline-{{browser}}-{{version}}-sources.zip',
    zipSources: false,
  },
  vite: () => ({
    plugins: [withoutMarkup()],
    oxc: { jsx: { importSource: 'preact' } },
    // With older targets, the bundler would rewrite light-dark(), which the tokens use.
    build: { cssTarget: 'chrome123' },
  }),
});

// Preact can set markup, which we never use. Removing it avoids questions in store reviews.
function withoutMarkup() {
  return {
    name: 'without-markup',
    transform: (code: string, id: string) =>
      /[/]preact[/]dist[/]preact[.]/.test(id) ? code.replaceAll('.innerHTML', '.textContent') : undefined,
  };
}
