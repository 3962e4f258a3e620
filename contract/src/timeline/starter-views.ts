import type { EventChart } from './event-charts.ts';

/** A view of events that Explore offers before the first query. */
export interface StarterView {
  name: string;
  query: string;
  chart: EventChart;
  /** Why it can be empty, and what would add events. */
  emptyText: string;
}

const chart = (kind: EventChart['kind'], by: EventChart['by'], compare = true): EventChart => ({
  kind,
  by,
  top: 10,
  compare,
});

export const starterViews: readonly StarterView[] = [
  {
    name: 'Merges without a review',
    query: 'is:unreviewed after:-90d',
    chart: chart('bars', 'repo'),
    emptyText:
      'No merge of the last 90 days lacks a review, or no merge was recorded. Merges are recorded for enabled repositories.',
  },
  {
    name: 'Self-approved merges',
    query: 'is:self-approved after:-90d',
    chart: chart('bars', 'actor'),
    emptyText:
      'In the last 90 days, no merge was approved only by contributors of the change, or no merge was recorded. Merges are recorded for enabled repositories.',
  },
  {
    name: 'Direct pushes',
    query: 'is:direct after:-180d',
    chart: chart('bars', 'repo'),
    emptyText:
      'In the last 180 days, no commit reached a branch in scope without a pull request, or no push was recorded. Pushes are recorded for enabled repositories.',
  },
  {
    name: 'Agent commits by repository',
    query: 'kind:commit is:agent after:-30d',
    chart: chart('lines', 'repo'),
    emptyText:
      'No commit of the last 30 days names an agent. Commits name agents in trailers, git notes and traces, or by their author.',
  },
  {
    name: 'Scans with changed findings',
    query: 'kind:vulnerability has:rule after:-30d',
    chart: chart('lines', 'tool'),
    emptyText:
      'No scan of the last 30 days found, fixed or reopened a vulnerability. Connect a scanner under Integrations.',
  },
  {
    name: 'Access changes',
    query: 'kind:member after:-90d',
    chart: chart('bars', 'actor'),
    emptyText: 'No member joined, left or changed the role in the last 90 days.',
  },
  {
    name: 'Waivers and policy changes',
    query: 'kind:[exception,policy] after:-90d',
    chart: chart('lines', 'kind'),
    emptyText: 'No waiver was requested and no policy changed in the last 90 days.',
  },
  {
    name: 'Commits by hour',
    query: 'kind:commit after:-30d',
    chart: chart('hours', 'kind', false),
    emptyText: 'No commit was recorded in the last 30 days. Commits are imported from enabled repositories.',
  },
  {
    name: 'Visited sites',
    query: 'kind:web after:-30d',
    chart: chart('bars', 'site'),
    emptyText: 'No site was visited in the last 30 days, or no browser extension is connected.',
  },
];
