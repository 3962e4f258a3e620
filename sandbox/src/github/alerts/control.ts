import type { FastifyInstance } from 'fastify';
import type { User } from '../../git/users.ts';
import { fullName, type Host, peopleOf } from '../host.ts';
import type { HostedRepository } from '../hosted-repository.ts';
import { listenerOf } from '../installations.ts';
import { contextOf } from '../payloads.ts';
import { notFound, refuse } from '../refusal.ts';
import { codeAlertJson, dependencyAlertJson, secretAlertJson } from '../responses/alert.ts';
import { webhookSenderFor } from '../webhook-events.ts';
import type { Alert, NewAlert } from './alert.ts';
import { type AlertKind, alertKinds } from './alert.ts';
import { fullRef } from './routes.ts';
import { type AlertChange, changeAlert } from './store.ts';

type Adding = { repository: string; kind: AlertKind; path: string; line?: number; refs?: string[] } & Partial<
  NewAlert['rule']
> & { tool?: string };
type Changing = { repository: string; kind: AlertKind; number: number } & AlertChange;

/** Creates, fixes, dismisses and reopens alerts, and sends webhooks. */
export const alertControl = (server: FastifyInstance, host: Host): void => {
  server.get<{ Querystring: { repository: string } }>('/alerts', async (request) => {
    return (await host.alerts.of(named(host, request.query.repository))) ?? [];
  });
  server.post<{ Body: Adding }>('/alerts', { schema: { body: addSchema } }, async (request, reply) => {
    const { repository: name, kind, path, line = 1, refs, tool, ...told } = request.body;
    const repository = named(host, name);
    const rule = { ...plain[kind], ...told };
    const { git } = repository;
    const alert = await host.alerts.add(repository, {
      kind,
      path,
      line,
      rule,
      ...(tool !== undefined && { tool: { name: tool, version: '1.0.0' } }),
      instances: (refs ?? [git.defaultBranch]).map((ref) => ({
        ref: fullRef(ref),
        state: 'open' as const,
        commit: git.refs.get(fullRef(ref)) ?? git.refs.get(`refs/heads/${git.defaultBranch}`) ?? '',
      })),
    });
    announce(host, { repository, alert, action: 'created' });
    await host.webhooks.settled();
    return reply.code(201).send(alert);
  });
  server.post<{ Body: Changing }>('/alerts/change', { schema: { body: changeSchema } }, async (request) => {
    const { repository: name, kind, number, ...change } = request.body;
    const repository = named(host, name);
    const alerts = (await host.alerts.of(repository)) ?? [];
    const alert = alerts.find((candidate) => candidate.kind === kind && candidate.number === number);
    if (alert === undefined) throw notFound();
    changeAlert(alert, change);
    announce(host, { repository, alert, action: actions[kind][change.action], on: change.ref });
    await host.webhooks.settled();
    return alert;
  });
};

const actions: Record<AlertKind, Record<AlertChange['action'], string>> = {
  code_scanning: { fix: 'fixed', dismiss: 'closed_by_user', reopen: 'reopened_by_user' },
  dependabot: { fix: 'fixed', dismiss: 'dismissed', reopen: 'reopened' },
  secret_scanning: { fix: 'resolved', dismiss: 'resolved', reopen: 'reopened' },
};

const announce = (
  host: Host,
  {
    repository,
    alert,
    action,
    on,
  }: { repository: HostedRepository; alert: Alert; action: string; on?: string | undefined },
): void => {
  const installation = listenerOf(host, repository);
  const [by] = peopleOf(host);
  if (installation === undefined) return;
  if (by === undefined) throw refuse(409, 'No commits exist.');
  const sendWebhook = webhookSenderFor(host, repository, installation.id);
  const context = contextOf(host, repository, installation, senderOf(by));
  if (alert.kind === 'dependabot') {
    sendWebhook('dependabot_alert', { action, alert: dependencyAlertJson(host, repository, alert), ...context });
  } else if (alert.kind === 'secret_scanning') {
    // Real webhooks occur with and without the secret.
    sendWebhook('secret_scanning_alert', {
      action,
      alert: secretAlertJson(host, repository, alert, false),
      ...context,
    });
  } else {
    // Actions of users are not about a ref.
    const refs = action.endsWith('_by_user') ? [''] : alert.instances.map(({ ref }) => ref);
    for (const ref of on === undefined ? refs : [fullRef(on)]) {
      const { commit = '' } = alert.instances.find((one) => one.ref === ref) ?? {};
      const json = codeAlertJson(host, repository, alert, { isWhole: true, ref });
      sendWebhook('code_scanning_alert', { action, alert: json, ref, commit_oid: commit, ...context });
    }
  }
};

const senderOf = (user: User) => ({ name: user.name, email: user.emails[0] ?? '' });

const named = (host: Host, name: string): HostedRepository => {
  const found = host.repositories.find((repository) => fullName(repository).toLowerCase() === name?.toLowerCase());
  if (found === undefined) throw notFound();
  return found;
};

const plain: Record<AlertKind, NewAlert['rule']> = {
  code_scanning: {
    id: 'js/code-injection',
    title: 'Code injection',
    description: 'Code is run that came from outside.',
    severity: 'high',
    cwes: [94],
  },
  dependabot: {
    id: 'GHSA-2222-2222-2225',
    title: 'right-pad-sandbox runs out of memory',
    description: 'Pad less.',
    severity: 'medium',
    cwes: [400],
    package: { ecosystem: 'npm', name: 'right-pad-sandbox', affected: '< 2.0.0', fixedIn: '2.0.0' },
  },
  secret_scanning: {
    id: 'sandbox_api_key',
    title: 'Sandbox API Key',
    description: '',
    severity: 'high',
    cwes: [],
  },
};

const text = { type: 'string', minLength: 1, maxLength: 1000 } as const;
const known = { repository: text, kind: { enum: alertKinds } };

const addSchema = {
  type: 'object',
  required: ['repository', 'kind', 'path'],
  additionalProperties: false,
  properties: {
    ...known,
    path: text,
    line: { type: 'integer', minimum: 1 },
    refs: { type: 'array', items: text },
    id: text,
    title: text,
    description: text,
    tool: text,
    severity: { enum: ['low', 'medium', 'high', 'critical'] },
    cwes: { type: 'array', items: { type: 'integer' } },
    package: { type: 'object' },
  },
};

const changeSchema = {
  type: 'object',
  required: ['repository', 'kind', 'number', 'action'],
  additionalProperties: false,
  properties: {
    ...known,
    number: { type: 'integer' },
    action: { enum: ['fix', 'dismiss', 'reopen'] },
    reason: text,
    comment: text,
    ref: text,
  },
};
