import type { RoleId } from '@sightline/contract/core/permissions.ts';
import type { Actor } from '#core/actor.ts';
import { factId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { personOfAccount } from '../domains/organization/members/commands.ts';
import { recordExtensionSession } from '../domains/tools/presence/commands.ts';
import { recordEditorReport, recordProgramUse } from '../domains/tools/tools/commands.ts';
import { detectTools } from '../domains/tools/tools/detect/detect.ts';
import { updateRepositoryTotals } from '../domains/tools/tools/record-sightings.ts';
import { storeScannedFiles } from '../domains/tools/tools/scan/save.ts';
import { saveToolScanProgress } from '../domains/tools/tools/scan/scene.ts';
import type { HostBlame } from '../providers/host-facts.ts';
import type { CliAccount } from './accounts.ts';
import { demoFiles } from './seed-files.ts';

export const demoPeople: { name: string; email: string; roleId: RoleId }[] = [
  { name: 'Grace Hopper', email: 'grace@example.org', roleId: 'rol_contributor' },
  { name: 'Alan Turing', email: 'alan@example.org', roleId: 'rol_contributor' },
  { name: 'Barbara Liskov', email: 'barbara@example.org', roleId: 'rol_reviewer' },
];

interface Desk {
  editor: string;
  browser: string;
  extensions: readonly (readonly [id: string, name: string, version: string])[];
  connected: readonly ('browser' | 'ide')[];
}

const copilot = ['github.copilot', 'GitHub Copilot', '1.372.0'] as const;
const eslint = ['dbaeumer.vscode-eslint', 'ESLint', '3.0.10'] as const;
const docker = ['ms-azuretools.vscode-docker', 'Docker', '2.0.0'] as const;

/** The tools of each person, in the order of the people. */
const desks: readonly Desk[] = [
  {
    editor: 'vscode',
    browser: 'chrome',
    extensions: [copilot, eslint, ['sonarsource.sonarlint-vscode', 'SonarQube for IDE', '4.30.0']],
    connected: ['browser', 'ide'],
  },
  {
    editor: 'cursor',
    browser: 'firefox',
    extensions: [eslint, docker, ['anthropic.claude-code', 'Claude Code', '2.0.14']],
    connected: ['ide'],
  },
  {
    editor: 'vscodium',
    browser: 'brave',
    extensions: [docker, ['continue.continue', 'Continue', '1.2.0'], ['semgrep.semgrep', 'Semgrep', '1.11.0']],
    connected: ['browser'],
  },
  { editor: 'windsurf', browser: 'edge', extensions: [copilot], connected: [] },
];

const version = '1.0.0';

/** Reports the tools of a person like their editor and browser. */
export async function reportDemoTools(services: Services, actor: Actor, index: number): Promise<void> {
  const { orgId, accountId } = actor;
  const desk = desks[index % desks.length];
  if (!desk) return;
  const { editor, browser, extensions, connected } = desk;
  const deviceId = factId('seed', orgId, accountId);
  const tools = extensions.map(([id, name, ofTool]) => ({ id, name, version: ofTool }));
  await recordEditorReport(services, actor, { deviceId, type: editor, version, tools, repositories: [remote] });
  await recordProgramUse(services, actor, { side: 'browser', type: browser, version });
  for (const side of connected) {
    const session = {
      side,
      type: side === 'ide' ? editor : browser,
      version,
      sessionId: factId('seed', accountId, side),
    };
    await recordExtensionSession(services.database, { orgId, accountId, session }, undefined);
  }
}

const fullName = 'demo/storefront';
const remote = `gitlab.com/${fullName}`;
const url = `https://${remote}`;

/**
 * Adds a repository with the tools that its files name. Returns the number of detections. It is not on GitHub, so that
 * no connection looks for it there.
 */
export async function insertDemoRepository(
  services: Services,
  orgId: string,
  people: readonly CliAccount[],
): Promise<number> {
  const repositoryId = factId('seed', orgId, fullName);
  const at = new Date();
  const files = Object.entries(demoFiles).map(([path, content]) => ({
    path,
    blob: factId('seed', content).replaceAll('-', ''),
    detections: detectTools(path, content),
  }));
  const repository = { services, orgId, repositoryId, provider: 'gitlab', fullName, url };
  const blame = new Map(files.map(({ path }, index) => [path, [blameOf(path, people[index % people.length], at)]]));
  await services.database.withOrg(orgId, async (tx) => {
    await tx.db
      .insertInto('repository')
      .values({
        org_id: orgId,
        id: repositoryId,
        provider: 'gitlab',
        provider_repo_id: repositoryId,
        installation_id: '',
        owner: 'demo',
        name: 'storefront',
        full_name: fullName,
        default_branch: 'main',
        is_private: true,
        html_url: url,
        tracked: true,
        pushed_at: at,
        last_change: at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await tx.db
      .insertInto('tool_scan')
      .values({ org_id: orgId, repository_id: repositoryId, state: 'running' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await addContributors(services, tx, { orgId, repositoryId, people, at });
    await storeScannedFiles(tx, repository, { head: shaOf('head'), at, files, blame, changes: new Map() });
    await updateRepositoryTotals(tx, orgId, repositoryId, at);
  });
  await saveToolScanProgress(services, repository, {
    state: 'done',
    error: null,
    commit_sha: shaOf('head'),
    scanned_at: at,
  });
  return files.reduce((sum, { detections }) => sum + detections.length, 0);
}

/** Adds contributors whose commits are some days apart. */
async function addContributors(
  services: Services,
  tx: Tx,
  { orgId, repositoryId, people, at }: { orgId: string; repositoryId: string; people: readonly CliAccount[]; at: Date },
): Promise<void> {
  for (const [index, { id, name, email }] of people.entries()) {
    await tx.db
      .insertInto('contributor')
      .values({
        org_id: orgId,
        repository_id: repositoryId,
        name,
        email,
        commits: 40 - 7 * index,
        person_id: await personOfAccount(services, tx, orgId, id),
        last_commit: daysBefore(at, 1 + 3 * index),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

const daysBefore = (time: Date, days: number) => new Date(time.getTime() - days * 86_400_000);

/** Returns blame data for a file with one author, some days ago. */
function blameOf(path: string, author: CliAccount | undefined, now: Date): HostBlame {
  const { name = 'Unknown person', email = '' } = author ?? {};
  return {
    from: 1,
    to: 1_000,
    pullRequest: null,
    commit: {
      sha: shaOf(path),
      message: `Add ${path}`,
      author: { name, email, login: null, avatarUrl: null },
      authoredAt: daysBefore(now, 2 + (path.length % 20)).toISOString(),
    },
  };
}

const shaOf = (what: string): string => factId('seed', what).replaceAll('-', '').padEnd(40, '0');
