import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { userDocs } from './docs/plugin.ts';

// The component gallery, for review only: no build includes it.
export default defineConfig({
  root: `${import.meta.dirname}/src/testing/gallery`,
  publicDir: `${import.meta.dirname}/public`,
  plugins: [react(), userDocs()],
  build: { target: 'esnext', cssTarget: 'chrome130', outDir: `${import.meta.dirname}/dist-gallery` },
});
