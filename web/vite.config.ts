import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = 'http://localhost:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), preloadFont()],
  build: {
    target: 'esnext',
    // older targets make the bundler rewrite light-dark(), which the tokens are written in
    cssTarget: 'chrome130',
    manifest: true,
    // fonts and icons stay files: the content security policy has no data: for them
    assetsInlineLimit: 0,
  },
  server: {
    proxy: {
      '/api': { target: server, ws: true },
      '/oidc': server,
    },
  },
});

// Text is drawn in its own font at once: without this the browser learns of the file only from the style sheet.
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
