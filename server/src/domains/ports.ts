import type { Services } from '#core/services.ts';
import { recordedBranches } from './compliance/changes/queries.ts';
import { remediationLimits } from './compliance/controls/remediation-limits.ts';
import { countRefusals } from './compliance/policies/queries.ts';
import { doneRemediations } from './compliance/remediations/queries.ts';
import { deleteBundleFiles } from './compliance/snapshots/commands.ts';
import { archivedEventsOf, rewriteEvents, withEventLists } from './timeline/events/commands.ts';
import { extensionStatusesOf } from './tools/presence/queries.ts';
import { recordToolSites } from './tools/tools/commands.ts';
import { toolContext } from './tools/tools/queries.ts';
import { importAlert } from './vulnerabilities/alerts/commands.ts';
import { findingContext } from './vulnerabilities/findings/queries.ts';
import { doneFindings } from './vulnerabilities/triage/queries.ts';

/** What lower domains ask of higher ones. Each is declared as a property of `Services` by the domain that needs it. */
export const portsOf = (services: () => Services) =>
  ({
    archivedEvents: archivedEventsOf(services),
    countPublishRefusals: countRefusals,
    deleteBundleFiles: (orgId) => deleteBundleFiles(services(), orgId),
    eventTexts: { withLists: withEventLists, rewrite: rewriteEvents },
    doneTicketSubjects: { finding: doneFindings, remediation: doneRemediations },
    exploreContexts: { finding: findingContext, tool: toolContext },
    extensionStatuses: extensionStatusesOf,
    remediationLimits,
    recordedBranches: (orgId, repositoryId) => recordedBranches(services(), orgId, repositoryId),
    recordSiteVisits: (actor, visits) => recordToolSites(services(), actor, visits),
    importAlertState: (orgId, repository, alert) => importAlert(services(), orgId, repository, alert),
  }) satisfies Partial<Services>;
