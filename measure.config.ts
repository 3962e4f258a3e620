import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';
const projects = (base as any).test.projects;
const server = projects[0].test;
export default defineConfig({ test: { experimental: { fsModuleCache: true }, maxWorkers: Number(process.env.W ?? 1), reporters: ['default'], projects: [{ test: { ...server, testTimeout: 400000, hookTimeout: 400000, setupFiles: [...server.setupFiles, '/tmp/m-cli/setup.ts'] } }] } });
