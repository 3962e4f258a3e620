import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Host } from '../host.ts';
import type { HostedRepository } from '../hosted-repository.ts';
import { paginate, paginateByCursor } from '../paging.ts';
import { notFound, refuse } from '../refusal.ts';
import { timeText } from '../responses/account.ts';
import { codeAlertJson, dependencyAlertJson, instanceJson, locationJson, secretAlertJson } from '../responses/alert.ts';
import { findRepository } from '../tokens.ts';
import type { Alert, AlertKind } from './alert.ts';

type Numbered = { Params: { number: string } };
type OnRef = { Querystring: { ref?: string; state?: string } };
type Hiding = { Querystring: { hide_secret?: string } };

/** The alerts of the host's own scanners, in GitHub's three formats. */
export const alertRoutes = (server: FastifyInstance, host: Host): void => {
  const alertsOf = async (request: FastifyRequest, kind: AlertKind) => {
    const repository = findRepository(host, request);
    const all = await host.alerts.of(repository);
    if (all === undefined) throw refuse(...switchedOff[kind]);
    return { repository, alerts: all.filter((alert) => alert.kind === kind).toReversed() };
  };
  const alertOf = async (request: FastifyRequest<Numbered>, kind: AlertKind) => {
    const { repository, alerts } = await alertsOf(request, kind);
    const alert = alerts.find(({ number }) => String(number) === request.params.number);
    if (alert === undefined) throw notFound();
    return { repository, alert };
  };
  const code = '/repos/:owner/:repo/code-scanning';

  server.get(`${code}/analyses`, async (request, reply) => {
    const { repository, alerts } = await alertsOf(request, 'code_scanning');
    return paginate(request, reply, analysesOf(repository, alerts));
  });
  server.get<OnRef>(`${code}/alerts`, async (request, reply) => {
    const { repository, alerts } = await alertsOf(request, 'code_scanning');
    const { git } = repository;
    const ref = fullRef(request.query.ref ?? git.defaultBranch);
    const { state } = request.query;
    const there = alerts.filter(
      (alert) => alert.instances.some((one) => one.ref === ref) && (state === undefined || alert.state === state),
    );
    return paginate(request, reply, there).map((alert) =>
      codeAlertJson(host, repository, alert, { isWhole: false, ref }),
    );
  });
  server.get<Numbered>(`${code}/alerts/:number`, async (request) => {
    const { repository, alert } = await alertOf(request, 'code_scanning');
    return codeAlertJson(host, repository, alert, { isWhole: true, ref: fullRef(repository.git.defaultBranch) });
  });
  server.get<Numbered & OnRef>(`${code}/alerts/:number/instances`, async (request, reply) => {
    const { alert } = await alertOf(request, 'code_scanning');
    const { ref } = request.query;
    const shown = alert.instances.filter((one) => ref === undefined || one.ref === fullRef(ref));
    return paginate(request, reply, shown).map((one) => instanceJson(alert, one));
  });
  server.get('/repos/:owner/:repo/dependabot/alerts', async (request, reply) => {
    const { repository, alerts } = await alertsOf(request, 'dependabot');
    return byCursor(request, reply, alerts).map((alert) => dependencyAlertJson(host, repository, alert));
  });
  server.get<Numbered>('/repos/:owner/:repo/dependabot/alerts/:number', async (request) => {
    const { repository, alert } = await alertOf(request, 'dependabot');
    return dependencyAlertJson(host, repository, alert);
  });
  server.get<Hiding>('/repos/:owner/:repo/secret-scanning/alerts', async (request, reply) => {
    const { repository, alerts } = await alertsOf(request, 'secret_scanning');
    const isHidden = request.query.hide_secret === 'true';
    return paginate(request, reply, alerts).map((alert) => secretAlertJson(host, repository, alert, isHidden));
  });
  server.get<Numbered & Hiding>('/repos/:owner/:repo/secret-scanning/alerts/:number', async (request) => {
    const { repository, alert } = await alertOf(request, 'secret_scanning');
    return secretAlertJson(host, repository, alert, request.query.hide_secret === 'true');
  });
  server.get<Numbered>('/repos/:owner/:repo/secret-scanning/alerts/:number/locations', async (request, reply) => {
    const { repository, alert } = await alertOf(request, 'secret_scanning');
    return paginate(request, reply, [locationJson(host, repository, alert)]);
  });
};

// GitHub's error messages.
const switchedOff: Record<AlertKind, [number, string]> = {
  code_scanning: [404, 'no analysis found'],
  dependabot: [403, 'Dependabot alerts are disabled for this repository.'],
  secret_scanning: [404, 'Secret scanning is disabled on this repository.'],
};

export const fullRef = (ref: string): string => (ref.startsWith('refs/') ? ref : `refs/heads/${ref}`);

// This list pages by cursors named `after`, not by page numbers.
const byCursor = (request: FastifyRequest, reply: FastifyReply, alerts: Alert[]): Alert[] =>
  paginateByCursor(
    request,
    reply,
    alerts.map((alert) => ({ ...alert, id: alert.number })),
    'after',
  );

const analysesOf = ({ git }: HostedRepository, alerts: Alert[]) => {
  const seen = new Map<string, { commit: string; at: number; results: number }>();
  const head = `refs/heads/${git.defaultBranch}`;
  seen.set(head, { commit: git.refs.get(head) ?? '', at: 0, results: 0 });
  for (const { instances, updatedAt } of alerts) {
    for (const { ref, commit } of instances) {
      const known = seen.get(ref);
      seen.set(ref, { commit, at: Math.max(known?.at ?? 0, updatedAt), results: (known?.results ?? 0) + 1 });
    }
  }
  return [...seen].map(([ref, { commit, at, results }], index) => ({
    id: index + 1,
    ref,
    commit_sha: commit,
    analysis_key: '.github/workflows/codeql.yml:analyze',
    category: '.github/workflows/codeql.yml:analyze',
    environment: '{}',
    error: '',
    created_at: timeText(at),
    results_count: results,
    rules_count: 1,
    tool: { name: 'CodeQL', guid: null, version: '2.20.1' },
    deletable: true,
    warning: '',
  }));
};
