import { listChanges } from '@sightline/contract/compliance/changes.ts';
import { type AuditPage, listAudit } from '@sightline/contract/organization/audit.ts';
import { listTools, type ToolTab } from '@sightline/contract/tools/tools.ts';
import { listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { endpointQuery } from '#lib/api.ts';
import { stringifySearch } from '#lib/search-params.ts';
import { type HomeTile, listTile, tileSource } from './tiles.ts';

/** Objects of the audit log that decide who has access. */
const accessSubjects = ['member', 'invitation', 'access_key'];
const MAX_COUNTED_ENTRIES = 100;

/** What happened since a time, in ISO 8601. */
export const activityTiles = (since: string): HomeTile[] => [
  listTile({
    nouns: ['new vulnerability', 'new vulnerabilities'],
    endpoint: listFindings,
    query: { discoveredFrom: since },
    page: '/vulnerabilities',
    isUrgent: true,
  }),
  listTile({
    nouns: ['fixed vulnerability', 'fixed vulnerabilities'],
    endpoint: listFindings,
    query: { status: ['fixed'], fixedFrom: since },
    page: '/vulnerabilities',
  }),
  listTile({
    nouns: ['merge without approval', 'merges without approval'],
    endpoint: listChanges,
    query: { mergeMethod: ['pull_request', 'merge_queue'], approval: ['no'], from: since },
    page: '/changes',
    isUrgent: true,
  }),
  listTile({
    nouns: ['direct push', 'direct pushes'],
    endpoint: listChanges,
    query: { mergeMethod: ['direct_push'], from: since },
    page: '/changes',
    isUrgent: true,
  }),
  listTile({
    nouns: ['change written by agents', 'changes written by agents'],
    endpoint: listChanges,
    query: { only: ['agent'], from: since },
    page: '/changes',
  }),
  toolTile('ci/cd', ['new CI/CD tool', 'new CI/CD tools'], since),
  toolTile('developer', ['new developer tool', 'new developer tools'], since),
  {
    nouns: ['access change', 'access changes'],
    href: `/audit${stringifySearch({ subjectKind: accessSubjects, from: since })}`,
    permission: listAudit.permission,
    source: tileSource(
      endpointQuery(listAudit, {
        query: { subjectKind: accessSubjects, from: since, perPage: MAX_COUNTED_ENTRIES },
      }),
      ({ entries, older }: AuditPage) => ({ count: entries.length, isAtLeast: older !== null }),
    ),
  },
];

const toolTile = (tab: ToolTab, nouns: HomeTile['nouns'], since: string): HomeTile => ({
  nouns,
  href: `/tools${stringifySearch({ ...(tab !== 'ci/cd' && { tab }), activeRange: 'any', firstSeenFrom: since })}`,
  permission: listTools.permission,
  source: tileSource(
    endpointQuery(listTools, { body: { tab, firstSeenFrom: since, perPage: 1 } }),
    ({ total }: { total: number }) => ({ count: total }),
  ),
});
