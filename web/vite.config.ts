import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = 'http://localhost:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
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
