import { roleNames } from '@sightline/contract/core/permissions.ts';
import { type DemoFile, readDemoFile, writeDemoFile } from '#core/demo-file.ts';
import { Conflict, Forbidden } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { SigningKeys } from '#core/signing-keys.ts';
import { deleteSandboxDemo } from '#providers/sandbox.ts';
import { deleteDemo } from '../../domains/organization/demo/commands.ts';
import { createOwnedOrganization } from '../../domains/organization/organizations/commands.ts';
import { findAccountByEmail } from '../accounts.ts';
import { command } from '../command.ts';
import { withServices } from '../command-resources.ts';
import { operatorActorFor } from '../operator.ts';
import { createTelemetryKey, sendAgentSessions, waitForSessions } from './agent-sessions.ts';
import { connectHosts, connectScanner, importRepositories, waitForChanges } from './connect.ts';
import { readCopilotReports } from './copilot-usage.ts';
import type { DemoRun } from './demo-run.ts';
import {
  addAnchors,
  createSnapshots,
  evaluateControls,
  openPortal,
  publishCheckpoints,
  requestWaivers,
  reviewDigests,
  signReview,
} from './evidence.ts';
import { triageFindings, uploadScans } from './findings.ts';
import { addMembers, addOwner, createOwnerAccount, openSession, recordDemoAccount, signInMember } from './people.ts';
import { createPolicies, weakenPolicies } from './policies.ts';
import { openSandboxDemo } from './sandbox-demo.ts';
import { connectOtherScanners, connectPeople, connectTrackerAndChat } from './services.ts';

export const demoCommand = command({
  name: 'demo',
  description: 'Creates the demo organization on a running server with a sandbox. Not in production.',
  options: {
    owner: { valueName: 'ADDRESS', description: 'A user who becomes an Account Owner of it.' },
    sandbox: { valueName: 'URL', description: 'The sandbox. Default: the port after that of the server.' },
  },
  run: async ({ options, json }) =>
    withServices(async (services, keys) => {
      const { production, PORT } = services.config;
      if (production) throw Forbidden('Demo data is not allowed in production.');
      const url = options.sandbox ?? `http://127.0.0.1:${PORT + 1}`;
      const print = (line: string) => void (json || process.stderr.write(`  ${line}\n`));
      const known = await readDemoFile(services.config.dataDir);
      if (known?.state === 'ready') return { json: known, lines: linesOf(services, known) };
      if (known) await removeUnfinished(services, url, known);
      const demo = await createDemo({ services, keys, url, print, invitedOwner: options.owner });
      return { json: demo, lines: linesOf(services, demo) };
    }),
});

/** Deletes what an earlier run created before it failed. Throws `conflict` while another process creates the demo. */
async function removeUnfinished(services: Services, url: string, demo: DemoFile): Promise<void> {
  const { state, organizationId } = demo;
  if (state === 'creating' && demo.process !== process.pid) throw Conflict('The demo is being created already.');
  if (organizationId !== null) await deleteDemo(services, organizationId);
  await deleteSandboxDemo(url);
}

interface Creation {
  services: Services;
  keys: SigningKeys;
  /** URL of the sandbox. */
  url: string;
  print: (line: string) => void;
  /** The address of the account that becomes another owner. */
  invitedOwner: string | undefined;
}

/** Creates the organization through the API of the server, and prints every step with its duration. */
async function createDemo(creation: Creation): Promise<DemoFile> {
  const steps = stepRunner(creation.services.config.dataDir, creation.print);
  try {
    return await runSteps(creation, steps);
  } catch (error) {
    await steps.update({ state: 'failed', problem: (error as Error).message });
    throw error;
  }
}

async function runSteps(
  { services, keys, url, invitedOwner }: Creation,
  steps: ReturnType<typeof stepRunner>,
): Promise<DemoFile> {
  const sandbox = await steps.run('Create repositories in the sandbox', () => openSandboxDemo(url));
  const { account, credential } = await createOwnerAccount(services);
  const { id: orgId } = await createOwnedOrganization(services, operatorActorFor(account), demoName, { isDemo: true });
  await recordDemoAccount(services, orgId, account.id);
  await steps.update({ organizationId: orgId });
  const joining = { services, keys, orgId };
  const signedIn = await steps.run('Create the organization', () => signInMember(joining, account.id, credential));
  if (invitedOwner !== undefined) await addOwner(joining, await findAccountByEmail(services, invitedOwner));
  // Requires a sign-in of the last five minutes.
  await steps.run('Add anchors', () => addAnchors(signedIn, sandbox));
  await steps.run('Connect Jira, Slack and Microsoft Teams', () => connectTrackerAndChat(signedIn, sandbox));
  const telemetryKey = await createTelemetryKey(signedIn);
  const owner = await openSession(joining, account);
  const { members, credentials } = await steps.run('Add members', () => addMembers(joining, owner));
  await steps.run('Connect the directory', () => connectPeople(signedIn, sandbox));
  const [contributor, reviewer, auditor] = members;
  const [, reviewerCredential] = credentials;
  if (!contributor || !reviewer || !auditor || !reviewerCredential) throw new Error('A member is missing.');
  const signInReviewer = () => signInMember(joining, reviewer.accountId, reviewerCredential);
  const people = { owner, reviewer, contributor, auditor, signInReviewer };
  const run: DemoRun = { services, orgId, ...people, sandbox, report: steps.report };
  await steps.run('Connect GitHub, GitLab and Bitbucket', () => connectHosts(run));
  await steps.run('Import repositories', () => importRepositories(run));
  await steps.run('Connect Checkmarx One', () => connectScanner(run));
  await steps.run('Connect Dependency-Track and SonarQube', () => connectOtherScanners(run));
  const policies = await steps.run('Create policies', () => createPolicies(run));
  await steps.run('Approve a weaker policy', () => weakenPolicies(run, policies));
  await steps.run('Merge pull requests of today', () => sandbox.playChanges());
  await steps.run('Record changes', () => waitForChanges(run));
  await steps.run('Send the telemetry of agents', () => sendAgentSessions(run, telemetryKey));
  await steps.run('Read the usage of Copilot', () => readCopilotReports(run));
  await steps.run('Scan again', () => Promise.all([sandbox.scanAgain(), uploadScans(run)]));
  await steps.run('Triage findings', () => triageFindings(run));
  await steps.run('Sign the access review', () => signReview(run));
  await steps.run('Join agent sessions', () => waitForSessions(run));
  await steps.run('Evaluate controls', () => evaluateControls(run));
  await steps.run('Request waivers', () => requestWaivers(run));
  await steps.run('Review digests', () => reviewDigests(run));
  await steps.run('Publish checkpoints', () => publishCheckpoints(run));
  const snapshots = await steps.run('Create snapshots', () => createSnapshots(run));
  const portal = await steps.run('Open the auditor portal', () => openPortal(run, snapshots));
  return steps.update({ state: 'ready', portal, credentials: [credential, ...credentials] });
}

// The name is also in e-mails, bundles and the portal.
const demoName = 'Harborline - Demo data';
const STEPS = 26;

/** Runs steps in order. Prints each with its duration, and stores the progress in the file of the demo. */
function stepRunner(dataDir: string, print: (line: string) => void) {
  let detail = '';
  let demo: DemoFile = {
    state: 'creating',
    done: 0,
    total: STEPS,
    step: '',
    problem: null,
    organizationId: null,
    process: process.pid,
    portal: null,
    credentials: [],
  };
  const update = async (change: Partial<DemoFile>): Promise<DemoFile> => {
    demo = { ...demo, ...change };
    await writeDemoFile(dataDir, demo);
    return demo;
  };
  return {
    update,
    report: (text: string): void => {
      detail = text;
    },
    async run<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
      detail = '';
      const started = performance.now();
      await update({ step });
      const result = await work();
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      await update({ done: demo.done + 1 });
      print(`[${String(demo.done).padStart(2)}/${STEPS}] ${step}: ${seconds} s${detail && ` (${detail})`}`);
      return result;
    },
  };
}

const linesOf = ({ config }: Services, { portal, credentials }: DemoFile): string[] => [
  `Demo organization "${demoName}" at ${config.PUBLIC_URL}. Sign in as:`,
  ...credentials.map(
    ({ email, password, roleId }) => `  ${roleNames[roleId].padEnd(17)} ${email.padEnd(36)} ${password}`,
  ),
  `  ${'Auditor portal'.padEnd(17)} ${portal}`,
];
