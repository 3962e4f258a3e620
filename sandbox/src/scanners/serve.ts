import type { FastifyInstance } from 'fastify';
import { dependencyTrackRoutes } from '../dependency-track/routes.ts';
import { semgrepRoutes } from '../semgrep/routes.ts';
import { snykRoutes } from '../snyk/routes.ts';
import { sonarqubeRoutes } from '../sonarqube/routes.ts';
import type { Account, SimulatedScanner } from './account.ts';
import { scannerPages } from './pages.ts';

interface SimulatedApi {
  title: string;
  /** The label of the account in its form; undefined if it needs none. */
  accountLabel: string | undefined;
  routes: (server: FastifyInstance, account: Account) => void;
}

const apis: Readonly<Record<SimulatedScanner, SimulatedApi>> = {
  sonarqube: { title: 'SonarQube', accountLabel: undefined, routes: sonarqubeRoutes },
  semgrep: { title: 'Semgrep', accountLabel: 'Deployment', routes: semgrepRoutes },
  snyk: { title: 'Snyk', accountLabel: 'Organization ID', routes: snykRoutes },
  'dependency-track': { title: 'Dependency-Track', accountLabel: undefined, routes: dependencyTrackRoutes },
};

/** Serves each scanner below its name: its API, and its page. */
export const serveScanners = async (server: FastifyInstance, accounts: readonly Account[]): Promise<void> => {
  for (const account of accounts) {
    const { routes, ...names } = apis[account.scanner];
    await server.register(async (api) => routes(api, account), { prefix: `/${account.scanner}` });
    scannerPages(server, account, names);
  }
};
