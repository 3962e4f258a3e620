import { listAccessReviews } from '@sightline/contract/compliance/access-reviews.ts';
import { listPortals } from '@sightline/contract/compliance/auditor-portals.ts';
import { type ControlsOverview, getControlsOverview } from '@sightline/contract/compliance/control-runs.ts';
import { listDigests } from '@sightline/contract/compliance/digests.ts';
import { countOverdueRemediations } from '@sightline/contract/compliance/overdue-remediations.ts';
import { listPolicyChanges } from '@sightline/contract/compliance/policy-changes.ts';
import { type Integration, listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { listWaivers } from '@sightline/contract/vulnerabilities/waivers.ts';
import { endpointQuery } from '#lib/api.ts';
import { type HomeTile, listTile, tileSource } from './tiles.ts';

/** Work that waits for a member, the most urgent first. */
export const attentionTiles: readonly HomeTile[] = [
  {
    nouns: ['failing connection', 'failing connections'],
    href: '/integrations',
    permission: 'manage:integrations',
    isUrgent: true,
    source: tileSource(endpointQuery(listIntegrations, {}), (integrations: Integration[]) => ({
      count: integrations.filter(({ status }) => status === 'error').length,
    })),
  },
  {
    ...listTile({
      nouns: ['auditor portal with overdue requests', 'auditor portals with overdue requests'],
      endpoint: listPortals,
      query: { requests: 'overdue', state: ['open'] },
      page: '/evidence/auditor-portals',
      isUrgent: true,
    }),
    permission: 'create:evidence',
  },
  {
    ...listTile({
      nouns: ['auditor portal with unanswered requests', 'auditor portals with unanswered requests'],
      endpoint: listPortals,
      query: { requests: 'open' },
      page: '/evidence/auditor-portals',
      isUrgent: true,
    }),
    permission: 'create:evidence',
  },
  {
    ...listTile({
      nouns: ['policy change to decide', 'policy changes to decide'],
      endpoint: listPolicyChanges,
      query: { view: 'pending' },
      page: '/policies/changes',
    }),
    permission: 'approve:exceptions',
  },
  {
    ...listTile({
      nouns: ['waiver to decide', 'waivers to decide'],
      endpoint: listWaivers,
      query: { view: 'open' },
      page: '/waivers',
    }),
    permission: 'approve:exceptions',
  },
  listTile({
    nouns: ['waiver expires within two weeks', 'waivers expire within two weeks'],
    endpoint: listWaivers,
    query: { view: 'expiring' },
    page: '/waivers',
  }),
  {
    ...listTile({
      nouns: ['commit digest to review', 'commit digests to review'],
      endpoint: listDigests,
      query: { state: ['open', 'partly'], sort: 'due-asc' },
      page: '/digests',
    }),
    permission: 'create:evidence',
  },
  {
    ...listTile({
      nouns: ['access review to sign', 'access reviews to sign'],
      endpoint: listAccessReviews,
      query: { state: ['open', 'decided'] },
      page: '/evidence/access-reviews',
    }),
    permission: 'create:evidence',
  },
  {
    nouns: ['failing control', 'failing controls'],
    href: '/evidence?status=failing',
    permission: 'read:evidence',
    source: tileSource(endpointQuery(getControlsOverview, {}), ({ counts }: ControlsOverview) => ({
      count: counts.failing,
    })),
  },
  {
    nouns: ['overdue remediation', 'overdue remediations'],
    href: '/remediations?view=overdue',
    permission: 'read:policies-status',
    isUrgent: true,
    source: tileSource(endpointQuery(countOverdueRemediations, {}), (counted: { count: number }) => counted),
  },
  listTile({
    nouns: ['overdue vulnerability', 'overdue vulnerabilities'],
    endpoint: listFindings,
    query: { overdue: 'true' },
    page: '/vulnerabilities',
    isUrgent: true,
  }),
  listTile({
    nouns: ['open vulnerability in your code', 'open vulnerabilities in your code'],
    endpoint: listFindings,
    query: { introducedBy: 'me' },
    page: '/vulnerabilities',
  }),
];
