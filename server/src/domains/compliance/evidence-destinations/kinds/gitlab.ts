import { createHmac, randomBytes } from 'node:crypto';
import type { ControlId } from '@sightline/evidence/controls/catalog.ts';
import type { FrozenSnapshot, SnapshotRepository } from '../frozen-snapshot.ts';
import type { Item, Kind, SettingsOf } from '../kind.ts';
import { below } from '../sink.ts';

const keyOf = (repository: SnapshotRepository): string => `project ${repository.id}`;

/**
 * Tells an external control of a compliance framework whether each project passes (GitLab 17.11). There are two answers only, so
 * whatever is not known is told as failed.
 */
export const gitlab: Kind<SettingsOf<'gitlab'>> = {
  replaces: true,
  items: (snapshot, { url }) =>
    projectsOf(snapshot, url).map((one): Item => ({ key: keyOf(one), label: one.fullName })),
  sender({ settings, secret }, sink) {
    sink.hide(secret);
    return {
      // Their only call changes the status.
      test: undefined,
      async send(snapshot, { key }) {
        const project = projectsOf(snapshot, settings.url).find((one) => keyOf(one) === key);
        if (!project) return { state: 'skipped', message: 'The project is no longer enabled.' };
        const { status, message } = standingOf(snapshot, project.id, settings.controls);
        if (status === undefined) return { state: 'skipped', message };
        const path = `projects/${encodeURIComponent(project.hostId)}/compliance_external_controls/${settings.externalControl}/status`;
        const target = below(settings.url, `api/v4/${path}`);
        // Sent as the signature has it, so that it holds whether the field or the body is what GitLab compares.
        const body = `status=${status}`;
        await sink.ask({
          method: 'PATCH',
          url: target,
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            ...signatureOf(secret, target.pathname, body),
          },
          body,
          messages: {
            404: `GitLab has no external control ${settings.externalControl} for ${project.fullName}. Apply its framework to the project.`,
          },
        });
        return { state: 'sent', message: `Reported as ${status === 'pass' ? 'passed' : 'failed'}: ${message}` };
      },
    };
  },
};

/** Those of this GitLab. */
const projectsOf = ({ repositories }: FrozenSnapshot, url: string): SnapshotRepository[] =>
  repositories.filter((one) => one.provider === 'gitlab' && one.url.startsWith(`${url.replace(/\/+$/, '')}/`));

interface ControlStatus {
  /** Undefined where nothing can be said, not even that something is missing. */
  status: 'pass' | 'fail' | undefined;
  message: string;
}

/** Whether a repository passes some controls; rows that are about no repository are about each. */
function standingOf(snapshot: FrozenSnapshot, repository: string, controls: readonly ControlId[]): ControlStatus {
  const counts = { evaluated: 0, failures: 0, missing: 0 };
  const missing: string[] = [];
  const short: string[] = [];
  const empty: string[] = [];
  for (const control of controls) {
    const rows = snapshot.rows(control);
    if (!rows) {
      missing.push(control);
      continue;
    }
    if (snapshot.isShort(control)) short.push(control);
    const before = counts.evaluated;
    for (const { row, verdict } of rows) {
      if (row.repository !== null && row.repository !== repository) continue;
      counts.evaluated += 1;
      if (verdict === 'fail') counts.failures += 1;
      if (verdict === 'missing_evidence') counts.missing += 1;
    }
    if (counts.evaluated === before) empty.push(control);
  }
  if (missing.length > 0) return { status: undefined, message: `The snapshot does not include ${missing.join(', ')}.` };
  if (counts.failures > 0) {
    return { status: 'fail', message: `${counts.failures} of ${counts.evaluated} items fail.` };
  }
  if (counts.missing > 0) {
    return {
      status: 'fail',
      message: `evidence is missing for ${counts.missing} of ${counts.evaluated} items, and GitLab has no status for it.`,
    };
  }
  if (short.length > 0) {
    return {
      status: 'fail',
      message: `items may be missing from ${short.join(', ')}, and GitLab has no status for missing evidence.`,
    };
  }
  // Nothing to evaluate is never met, and does not fail either.
  if (empty.length > 0) return { status: undefined, message: `${empty.join(', ')} is not applicable in this project.` };
  return { status: 'pass', message: `all of ${counts.evaluated} items.` };
}

/** The three headers GitLab asks for: timestamp, nonce, path and status, in this order, by the secret of the control. */
function signatureOf(secret: string, path: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomBytes(16).toString('hex');
  return {
    'x-gitlab-timestamp': timestamp,
    'x-gitlab-nonce': nonce,
    'x-gitlab-hmac-sha256': createHmac('sha256', secret).update(`${timestamp}${nonce}${path}${body}`).digest('hex'),
  };
}
