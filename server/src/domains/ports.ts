import type { Services } from '#core/services.ts';
import { recordedBranches } from './compliance/changes/queries.ts';
import { countRefusals } from './compliance/policies/queries.ts';
import { forgetBundleFiles } from './compliance/snapshots/commands.ts';
import { rewriteEvents, withEventLists } from './timeline/events/commands.ts';
import { statusesOf } from './tools/presence/queries.ts';
import { noteSites } from './tools/tools/commands.ts';
import { toolContext } from './tools/tools/queries.ts';
import { takeAlert } from './vulnerabilities/alerts/commands.ts';
import { findingContext } from './vulnerabilities/findings/queries.ts';

/** What lower domains ask of higher ones. Each is declared as a property of `Services` by the domain that needs it. */
export const portsOf = (services: () => Services) =>
  ({
    countPublishRefusals: countRefusals,
    deleteBundleFiles: (orgId) => forgetBundleFiles(services(), orgId),
    eventTexts: { withLists: withEventLists, rewrite: rewriteEvents },
    exploreContexts: { finding: findingContext, tool: toolContext },
    extensionStatuses: statusesOf,
    recordedBranches: (orgId, repositoryId) => recordedBranches(services(), orgId, repositoryId),
    recordSiteVisits: (actor, visits) => noteSites(services(), actor, visits),
    takeAlert: (orgId, repository, alert) => takeAlert(services(), orgId, repository, alert),
  }) satisfies Partial<Services>;
