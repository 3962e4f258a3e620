import { headOf } from '../git/repository.ts';
import { possibleFindings } from './possible-findings.ts';
import { newUuid, type Project, type Scan, stableUuid, type Tenant } from './tenant.ts';
import { messageOf } from './webhook-message.ts';

/** Number of findings in the first scan; later scans find the rest. */
const firstFound = 15;

/** The scans of a project, newest first. The first scan is created on demand. */
export const scansOf = async (tenant: Tenant, project: Project): Promise<Scan[]> => {
  const known = () => tenant.kept.scans.filter(({ projectId }) => projectId === project.id);
  if (known().length === 0) {
    const { git } = project.source;
    const all = await possibleFindings(project);
    tenant.kept.scans.push({
      id: stableUuid(`scan ${project.id}`),
      projectId: project.id,
      branch: project.mainBranch,
      commit: headOf(git)?.sha ?? '',
      status: 'Completed',
      createdAt: new Date(headOf(git)?.committer.at ?? git.startedAt).toISOString(),
      seeds: all.slice(0, firstFound).map((_, index) => index),
    });
    tenant.save();
  }
  return known().toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
};

/** The findings that the next scan adds and removes; `given` is a complete results response as text. */
export type ScanChange = {
  add?: number;
  remove?: number;
  branch?: string;
  status?: Scan['status'];
  given?: string;
};

/** Scans a project again and sends its webhooks. */
export const scanAgain = async (tenant: Tenant, project: Project, change: ScanChange): Promise<Scan> => {
  const { add = 0, remove = 0, branch = project.mainBranch, status = 'Completed', given } = change;
  const before = (await scansOf(tenant, project)).find((scan) => scan.branch === branch && scan.status !== 'Failed');
  const all = (await possibleFindings(project)).map((_, index) => index);
  const found = before?.seeds ?? all.slice(0, firstFound);
  const more = all.filter((seed) => !found.includes(seed)).slice(0, add);
  const scan: Scan = {
    id: newUuid(),
    projectId: project.id,
    branch,
    commit: headOf(project.source.git)?.sha ?? '',
    status,
    createdAt: new Date().toISOString(),
    seeds: [...found.slice(remove), ...more],
    ...(before?.daysPerFinding !== undefined && { daysPerFinding: before.daysPerFinding }),
    ...(given === undefined ? {} : { given }),
  };
  tenant.kept.scans.push(scan);
  tenant.save();
  await sendScanWebhooks(tenant, scan);
  return scan;
};

const events = {
  Completed: 'scan_completed_successfully',
  Partial: 'scan_partial',
  Failed: 'scan_failed',
} as const;

const sendScanWebhooks = async (tenant: Tenant, scan: Scan): Promise<void> => {
  const event = events[scan.status];
  const listening = tenant.kept.webhooks.filter(
    ({ active, enabledEvents, projectId }) =>
      active && enabledEvents.includes(event) && (projectId === null || projectId === scan.projectId),
  );
  const statusInfo = [{ name: 'general', status: scan.status, details: '' }];
  for (const hook of listening) {
    await tenant.hooks.send(messageOf(hook, event, { scanId: scan.id, projectId: scan.projectId, statusInfo }));
  }
};
