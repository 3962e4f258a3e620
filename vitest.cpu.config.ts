import config from './vitest.config.ts';
for (const p of config.test.projects) { if (typeof p === 'object') p.test.setupFiles = [...p.test.setupFiles, 'scripts/cpu-setup.ts']; }
export default config;
