import { createHmac, randomBytes } from 'node:crypto';
import type { ControlId } from '@sightline/evidence/controls/catalog.ts';
import type { Item, Kind, SettingsOf } from '../kind.ts';
import { below } from '../receiver-client.ts';
import type { SnapshotContent, SnapshotRepository } from '../snapshot-content.ts';

const keyOf = (repository: SnapshotRepository): string => `project ${repository.id}`;

/**
 * Reports to an external control of a compliance framework whether each project passes (GitLab 17.11). GitLab has only
 * the statuses pass and fail, so missing evidence is reported as fail.
 */
export const gitlab: Kind<SettingsOf<'gitlab'>> = {
  replaces: true,
  items: (snapshot, { url }) =>
    projectsOf(snapshot, url).map((one): Item => ({ key: keyOf(one), label: one.fullName })),
  sender({ settings, secret }, client) {
    client.redact(secret);
    return {
      // The only endpoint of GitLab for external controls changes the status.
      test: undefined,
      async send(snapshot, { key }) {
        const project = projectsOf(snapshot, settings.url).find((one) => keyOf(one) === key);
        if (!project) return { state: 'skipped', message: 'The project is no longer enabled.' };
        const { status, message } = controlStatusOf(snapshot, project.id, settings.controls);
        if (status === undefined) return { state: 'skipped', message };
        const path = `projects/${encodeURIComponent(project.hostId)}/compliance_external_controls/${settings.externalControl}/status`;
        const target = below(settings.url, `api/v4/${path}`);
        // The body equals the signed text, so that the signature is valid whether GitLab verifies the field or the body.
        const body = `status=${status}`;
        await client.request({
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

/** The repositories on the GitLab instance of the destination. */
const projectsOf = ({ repositories }: SnapshotContent, url: string): SnapshotRepository[] =>
  repositories.filter((one) => one.provider === 'gitlab' && one.url.startsWith(`${url.replace(/\/+$/, '')}/`));

interface ControlStatus {
  /** Undefined if the item is skipped: a control is not in the snapshot or not applicable. */
  status: 'pass' | 'fail' | undefined;
  message: string;
}

/** Whether a repository passes the controls. Rows without a repository count for every repository. */
function controlStatusOf(snapshot: SnapshotContent, repository: string, controls: readonly ControlId[]): ControlStatus {
  const rows = new Map(controls.map((control) => [control, snapshot.rows(control)]));
  const absent = controls.filter((control) => !rows.get(control));
  if (absent.length > 0) return { status: undefined, message: `The snapshot does not include ${absent.join(', ')}.` };
  const verdictsOf = (control: ControlId) =>
    (rows.get(control) ?? [])
      .filter(({ row }) => row.repository === null || row.repository === repository)
      .map(({ verdict }) => verdict);
  const verdicts = controls.flatMap(verdictsOf);
  const count = (counted: (typeof verdicts)[number]) => verdicts.filter((verdict) => verdict === counted).length;
  const [failures, missing] = [count('fail'), count('missing_evidence')];
  if (failures > 0) return { status: 'fail', message: `${failures} of ${verdicts.length} items fail.` };
  if (missing > 0) {
    return {
      status: 'fail',
      message: `evidence is missing for ${missing} of ${verdicts.length} items, and GitLab has no status for it.`,
    };
  }
  const short = controls.filter((control) => snapshot.isIncomplete(control));
  if (short.length > 0) {
    return {
      status: 'fail',
      message: `items may be missing from ${short.join(', ')}, and GitLab has no status for missing evidence.`,
    };
  }
  // A control without items neither passes nor fails.
  const empty = controls.filter((control) => verdictsOf(control).length === 0);
  if (empty.length > 0) return { status: undefined, message: `${empty.join(', ')} is not applicable in this project.` };
  return { status: 'pass', message: `all of ${verdicts.length} items.` };
}

/** The signature headers of GitLab: an HMAC of timestamp, nonce, path and body with the secret of the control. */
function signatureOf(secret: string, path: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomBytes(16).toString('hex');
  return {
    'x-gitlab-timestamp': timestamp,
    'x-gitlab-nonce': nonce,
    'x-gitlab-hmac-sha256': createHmac('sha256', secret).update(`${timestamp}${nonce}${path}${body}`).digest('hex'),
  };
}
