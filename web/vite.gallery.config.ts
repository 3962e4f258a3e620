import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The component gallery, for review only: no build leads here.
export default defineConfig({
  root: `${import.meta.dirname}/src/testing/gallery`,
  publicDir: `${import.meta.dirname}/public`,
  plugins: [react()],
  build: { target: 'esnext', cssTarget: 'chrome130', outDir: `${import.meta.dirname}/dist-gallery` },
});
