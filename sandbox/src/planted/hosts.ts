import { scenarios as azureDevops } from '../azure-devops/scenarios.ts';
import { scenarios as bitbucket } from '../bitbucket/scenarios.ts';
import { scenarios as bitbucketDataCenter } from '../bitbucket-data-center/scenarios.ts';
import { scenarios as gerrit } from '../gerrit/scenarios.ts';
import { scenarios as gitea } from '../gitea/scenarios.ts';
import { scenarios as github } from '../github/scenarios.ts';
import { scenarios as gitlab } from '../gitlab/scenarios.ts';
import type { HostName } from './host-name.ts';
import type { HostBehavior, HostScenarios } from './host-scenarios.ts';

/** The code hosts with scenarios, in the order of the columns of docs/control-scenarios.md. */
export const hostScenarios: Readonly<Partial<Record<HostName, HostScenarios>>> = {
  github,
  gitlab,
  bitbucket,
  gitea,
  'bitbucket-data-center': bitbucketDataCenter,
  'azure-devops': azureDevops,
  gerrit,
};

export const scenarioHosts = Object.keys(hostScenarios) as HostName[];

export function scenariosOn(on: HostName): HostScenarios {
  const scenarios = hostScenarios[on];
  if (scenarios === undefined) throw new RangeError(`There are no scenarios for ${on}.`);
  return scenarios;
}

export const hostBehavior = (on: HostName): HostBehavior => scenariosOn(on).behavior;
