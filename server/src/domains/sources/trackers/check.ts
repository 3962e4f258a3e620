import type { TrackerCheck, TrackerName } from '@sightline/contract/sources/trackers.ts';
import { parseDestination } from '#core/destination.ts';
import { Invalid } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { TrackerConnection, TrackerProject } from '#providers/tracker.ts';
import { maybeProblem } from './problems.ts';
import { findConnector, maybeTrackerRow, trackerSecretLocation } from './row.ts';

/** The form of a connection; fields that are not given are undefined. */
export interface TrackerForm {
  baseURL?: string | undefined;
  email?: string | undefined;
  token?: string | undefined;
}

export interface TrackerChecked {
  account: string;
  projects: TrackerProject[];
}

/** Reads the account and the projects of a token. Throws `validation_failed` for the form and the errors of IssueTracker. */
export async function checkTracker(
  services: Services,
  orgId: string,
  tracker: TrackerName,
  connection: TrackerConnection,
): Promise<TrackerChecked> {
  const outbound = services.outboundFor(orgId, 'tracker');
  await outbound.check('baseURL', connection.baseURL);
  const opened = findConnector(services, tracker).open(outbound, connection);
  const { account } = await opened.look();
  return { account, projects: await opened.projects() };
}

/** Completes a form with the stored connection. A stored token is sent only to the address that it was given for. */
export async function completeForm(
  services: Services,
  orgId: string,
  tracker: TrackerName,
  form: TrackerForm,
): Promise<TrackerConnection> {
  const { needsURL, needsEmail, defaultURL } = findConnector(services, tracker);
  const row = await services.database.withOrg(orgId, (tx) => maybeTrackerRow(tx, orgId, tracker));
  const baseURL = needsURL
    ? siteOf(form.baseURL ?? (row?.secret ? row.base_url : ''))
    : (services.config.trackers.linearURL ?? defaultURL);
  const email = needsEmail ? (form.email ?? row?.email ?? '') : null;
  if (email === '') throw Invalid('email', 'is needed');
  if (form.token !== undefined) return { baseURL, email, token: form.token };
  if (!row?.secret || row.base_url !== baseURL || row.email !== email) throw Invalid('token', 'is needed');
  const token = services.secrets.open(trackerSecretLocation(orgId, tracker, 'secret'), row.secret).toString();
  return { baseURL, email, token };
}

/** The address of a site without a trailing slash. Without a scheme, it is https. */
function siteOf(entered: string): string {
  if (entered.trim() === '') throw Invalid('baseURL', 'is needed');
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(entered) ? entered : `https://${entered}`;
  const parsed = parseDestination(url);
  if ('problem' in parsed) throw Invalid('baseURL', parsed.problem);
  const { origin, pathname } = parsed.url;
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/** Checks a connection and returns the result as a response. Empty fields use the stored connection. */
export async function testTrackerConnection(
  services: Services,
  orgId: string,
  tracker: TrackerName,
  form: TrackerForm,
): Promise<TrackerCheck> {
  const connection = await completeForm(services, orgId, tracker, form);
  try {
    const { projects } = await checkTracker(services, orgId, tracker, connection);
    return { ok: true, problem: null, projects: projects.length };
  } catch (error) {
    const problem = maybeProblem(error);
    if (!problem) throw error;
    return { ok: false, problem, projects: null };
  }
}
