import type { HostedRepository } from '../hosted-repository.ts';
import type { Alert, NewAlert } from './alert.ts';
import { plausibleAlerts } from './plausible.ts';

/** Alerts of each repository; undefined if no scanner is enabled. */
export type AlertStore = {
  of: (repository: HostedRepository) => Promise<Alert[]> | undefined;
  add: (repository: HostedRepository, alert: NewAlert) => Promise<Alert>;
};

/** `isOn`: each repository starts with plausible alerts. */
export const createAlertStore = (isOn: boolean): AlertStore => {
  const all = new Map<number, Promise<Alert[]>>();
  const begin = async (repository: HostedRepository): Promise<Alert[]> => {
    const alerts: Alert[] = [];
    for (const found of isOn ? await plausibleAlerts(repository) : []) append(repository, alerts, found);
    return alerts;
  };
  const started = (repository: HostedRepository): Promise<Alert[]> => {
    const known = all.get(repository.id) ?? begin(repository);
    all.set(repository.id, known);
    return known;
  };
  return {
    of: (repository) => (isOn || all.has(repository.id) ? started(repository) : undefined),
    add: async (repository, alert) => append(repository, await started(repository), alert),
  };
};

const append = (repository: HostedRepository, alerts: Alert[], found: NewAlert): Alert => {
  const { git } = repository;
  const ref = `refs/heads/${git.defaultBranch}`;
  const at = found.createdAt ?? Date.now();
  const alert: Alert = {
    instances: [{ ref, commit: git.refs.get(ref) ?? '', state: 'open' }],
    tool: { name: 'CodeQL', version: '2.20.1' },
    ...found,
    number: 1 + Math.max(0, ...alerts.filter(({ kind }) => kind === found.kind).map(({ number }) => number)),
    state: 'open',
    reason: null,
    comment: null,
    createdAt: at,
    updatedAt: at,
  };
  alerts.push(alert);
  return alert;
};

export type AlertChange = { action: 'fix' | 'dismiss' | 'reopen'; reason?: string; comment?: string; ref?: string };

/** Fixes an alert (on one ref, or all), dismisses or reopens it. */
export const changeAlert = (alert: Alert, { action, reason, comment, ref }: AlertChange): void => {
  alert.updatedAt = Date.now();
  if (action === 'dismiss') {
    Object.assign(alert, { state: 'dismissed', reason: reason ?? 'false positive', comment: comment ?? null });
    return;
  }
  for (const instance of alert.instances) {
    if (ref === undefined || instance.ref === ref) instance.state = action === 'fix' ? 'fixed' : 'open';
  }
  const isFixed = alert.instances.every(({ state }) => state === 'fixed');
  Object.assign(alert, { state: isFixed ? 'fixed' : 'open', reason: isFixed ? 'revoked' : null, comment: null });
};
