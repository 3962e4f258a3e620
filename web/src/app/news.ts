import { listAccessKeys } from '@sightline/contract/access-keys.ts';
import { getExtensionStatus } from '@sightline/contract/accounts.ts';
import { listAlertReadings } from '@sightline/contract/alerts.ts';
import { getAuditFilters, listAudit } from '@sightline/contract/audit.ts';
import { listContributors } from '@sightline/contract/contributors.ts';
import type { Endpoint } from '@sightline/contract/endpoint.ts';
import {
  getFinding,
  getFindingNeighbours,
  getFindingStats,
  listFindingFilter,
  listFindings,
} from '@sightline/contract/findings.ts';
import { getGithubStatus } from '@sightline/contract/github.ts';
import { getCheckmarx, listCheckmarxProjects, listIntegrations } from '@sightline/contract/integrations.ts';
import { getMembersSummary, listMembers } from '@sightline/contract/members.ts';
import { getOrganization, listOrganizations } from '@sightline/contract/organizations.ts';
import { getPullRequest, getPullRequestsMeta, listPullRequests } from '@sightline/contract/pull-requests.ts';
import type { NewsName } from '@sightline/contract/realtime.ts';
import {
  getRepository,
  getRepositoryById,
  listProviderRepos,
  listRepositories,
} from '@sightline/contract/repositories.ts';
import { getScan, listScans } from '@sightline/contract/scans.ts';
import { listExceptions } from '@sightline/contract/triage.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { keyOf } from '#lib/api.ts';
import { refreshFlags } from '#lib/flags.ts';
import { onReconnect, onRefused, useNews } from '#lib/realtime.ts';

// Every change is an entry of the audit log.
const audit = [listAudit, getAuditFilters] as const;

// Which answers a piece of news makes old. `orgEvents` is not here: the timeline must not move under its reader, so it
// offers newer events itself (spec 2.6).
const outdated = {
  orgRepos: [
    listRepositories,
    getRepository,
    getRepositoryById,
    listProviderRepos,
    listPullRequests,
    getPullRequestsMeta,
    getPullRequest,
    listContributors,
    listIntegrations,
    ...audit,
  ],
  orgMembers: [...audit, listOrganizations, getOrganization, listMembers, getMembersSummary],
  orgSettings: [...audit, listOrganizations, getOrganization, listAccessKeys],
  orgIntegrations: [
    ...audit,
    getGithubStatus,
    listProviderRepos,
    listIntegrations,
    getCheckmarx,
    listCheckmarxProjects,
    listAlertReadings,
  ],
  orgFindings: [
    ...audit,
    listFindings,
    listFindingFilter,
    getFindingStats,
    getFinding,
    getFindingNeighbours,
    listExceptions,
    listRepositories,
    getRepository,
    getRepositoryById,
  ],
  orgScans: [listScans, getScan],
  orgAudit: audit,
  extStatus: [getExtensionStatus],
} as const satisfies Partial<Record<NewsName, readonly Endpoint[]>>;

/** Asks again for what the news is about; after a lost connection for everything, since news may have been missed. */
export function useFreshAnswers(): void {
  const queryClient = useQueryClient();
  const due = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hear = (name: keyof typeof outdated) => {
    due.current.add(name);
    // An import tells much in a row: asking at once each time would cancel one question by the next.
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const endpoints = new Set([...due.current].flatMap((each) => [...outdated[each as keyof typeof outdated]]));
      due.current.clear();
      for (const endpoint of endpoints) void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
    }, gather);
  };
  useNews('orgRepos', () => hear('orgRepos'));
  useNews('orgMembers', () => hear('orgMembers'));
  useNews('orgSettings', () => hear('orgSettings'));
  useNews('orgIntegrations', () => hear('orgIntegrations'));
  useNews('orgFindings', () => hear('orgFindings'));
  useNews('orgScans', () => hear('orgScans'));
  useNews('orgAudit', () => hear('orgAudit'));
  useNews('extStatus', () => hear('extStatus'));
  useEffect(
    () =>
      onReconnect(() => {
        void queryClient.invalidateQueries();
        refreshFlags();
      }),
    [queryClient],
  );
  useEffect(
    () => onRefused(() => void queryClient.invalidateQueries({ queryKey: keyOf(listOrganizations) })),
    [queryClient],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
}

/** Milliseconds in which news is gathered before anything is asked. */
const gather = 300;
