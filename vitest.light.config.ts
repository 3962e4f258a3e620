import { defineConfig } from 'vitest/config';
export default defineConfig({ test: { include: ['server/src/house/spec-map.test.ts','server/src/house/evidence-checks.test.ts'], testTimeout: 300000 } });
