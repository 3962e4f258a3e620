import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { chunks, injectChunkTags } from './chunks.ts';
import { userDocs } from './docs/plugin.ts';

const server = 'http://localhost:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), userDocs(), preloadFont(), injectChunkTags(), precompress()],
  build: {
    target: 'esnext',
    // older targets would make the bundler rewrite light-dark(), which the tokens use
    cssTarget: 'chrome130',
    manifest: true,
    // fonts and icons remain files, since the content security policy permits no data: for them
    assetsInlineLimit: 0,
    // budget.ts limits compressed sizes
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { output: { codeSplitting: chunks() } },
  },
  server: {
    proxy: {
      '/api': { target: server, ws: true },
      '/oidc': server,
      '/auth/silent': server,
      '/outbox': server,
      '/confirm-address': server,
      '/icons': server,
      '/_/setup': server,
    },
  },
});

// Preloads the font, so that text renders in it immediately; otherwise the browser finds the file only in the style
// sheet.
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((file) => file.includes('inter-latin-wght-normal'));
        if (font === undefined) return [];
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: '' };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

// The server sends precompressed files, since compression per request would be more expensive.
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle({ dir = '' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!/[.](js|css|svg)$/.test(name)) continue;
        const file = join(dir, name);
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content));
      }
    },
  };
}
