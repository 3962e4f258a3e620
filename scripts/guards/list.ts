import type { Mutation } from './guard.ts';
import { accessReviewGuards } from './list/access-reviews.ts';
import { auditStreamGuards } from './list/audit-streams.ts';
import { portalGuards } from './list/auditor-portals.ts';
import { backupsGuards } from './list/backups.ts';
import { bundleGuards } from './list/bundles.ts';
import { callsGuards } from './list/calls.ts';
import { changesGuards } from './list/changes.ts';
import { chatGuards } from './list/chat.ts';
import { codeHostsGuards } from './list/code-hosts.ts';
import { controlsGuards } from './list/controls.ts';
import { destinationGuards } from './list/destinations.ts';
import { digestGuards } from './list/digests.ts';
import { directoryGuards } from './list/directory.ts';
import { erasureGuards } from './list/erasure.ts';
import { evidenceDestinationGuards } from './list/evidence-destinations.ts';
import { exploreGuards } from './list/explore.ts';
import { extensionsGuards } from './list/extensions.ts';
import { findingsGuards } from './list/findings.ts';
import { keysGuards } from './list/keys.ts';
import { ledgerGuards } from './list/ledger.ts';
import { limitsGuards } from './list/limits.ts';
import { loginsGuards } from './list/logins.ts';
import { mcpGuards } from './list/mcp.ts';
import { membersGuards } from './list/members.ts';
import { notificationsGuards } from './list/notifications.ts';
import { outgoingGuards } from './list/outgoing.ts';
import { policiesGuards } from './list/policies.ts';
import { releaseGuards } from './list/releases.ts';
import { reportingGuards } from './list/reporting.ts';
import { samlGuards } from './list/saml.ts';
import { scansGuards } from './list/scans.ts';
import { secondVerifierGuards } from './list/second-verifier.ts';
import { segmentsGuards } from './list/segments.ts';
import { signInGuards } from './list/sign-in.ts';
import { socketsGuards } from './list/sockets.ts';
import { tenancyGuards } from './list/tenancy.ts';
import { toolsGuards } from './list/tools.ts';
import { trackersGuards } from './list/trackers.ts';
import { transferGuards } from './list/transfer.ts';
import { triageGuards } from './list/triage.ts';

/** Every mutation that a test must detect, by list. A new one belongs in the list of its noun. */
export const mutationLists: Readonly<Record<string, readonly Mutation[]>> = {
  calls: callsGuards,
  tenancy: tenancyGuards,
  sockets: socketsGuards,
  'sign-in': signInGuards,
  logins: loginsGuards,
  saml: samlGuards,
  mcp: mcpGuards,
  members: membersGuards,
  'access-reviews': accessReviewGuards,
  'code-hosts': codeHostsGuards,
  changes: changesGuards,
  findings: findingsGuards,
  notifications: notificationsGuards,
  'audit-streams': auditStreamGuards,
  outgoing: outgoingGuards,
  chat: chatGuards,
  evidence_destinations: evidenceDestinationGuards,
  scans: scansGuards,
  trackers: trackersGuards,
  transfer: transferGuards,
  triage: triageGuards,
  policies: policiesGuards,
  keys: keysGuards,
  ledger: ledgerGuards,
  limits: limitsGuards,
  tools: toolsGuards,
  extensions: extensionsGuards,
  erasure: erasureGuards,
  explore: exploreGuards,
  segments: segmentsGuards,
  releases: releaseGuards,
  reporting: reportingGuards,
  backups: backupsGuards,
  controls: controlsGuards,
  destinations: destinationGuards,
  digests: digestGuards,
  directory: directoryGuards,
  portals: portalGuards,
  bundles: bundleGuards,
  'second-verifier': secondVerifierGuards,
};
