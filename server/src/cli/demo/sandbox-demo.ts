import { z } from 'zod';
import { Refusal } from '#core/errors.ts';

const answer = z.object({
  githubAccount: z.number(),
  owners: z.object({ github: z.string(), gitlab: z.string(), bitbucket: z.string() }),
  login: z.string(),
  tokens: z.object({ gitlab: z.string(), bitbucket: z.string() }),
  checkmarx: z.object({ tenant: z.string(), apiKey: z.string() }),
  jira: z.object({ url: z.string(), email: z.string(), token: z.string() }),
  slack: z.object({ token: z.string(), signingSecret: z.string(), channel: z.string() }),
  teams: z.array(z.object({ name: z.string(), url: z.string() })),
  scanners: z.array(
    z.object({
      scanner: z.enum(['dependency-track', 'sonarqube']),
      tenant: z.string(),
      apiKey: z.string(),
      baseURL: z.string(),
    }),
  ),
  repositories: z.array(
    z.object({
      fullName: z.string(),
      host: z.enum(['github', 'gitlab', 'bitbucket']),
      pullRequests: z.number(),
      commits: z.number(),
    }),
  ),
});

/** The repositories and credentials of the demo in the sandbox. */
type SandboxContent = z.infer<typeof answer>;

/** The demo in the sandbox at `url`. */
export interface SandboxDemo {
  url: string;
  content: SandboxContent;
  /** Merges pull requests now, with webhooks. */
  playChanges: () => Promise<void>;
  /** Sends the people of the demo to a SCIM endpoint. */
  synchronizeDirectory: (target: { url: string; token: string }) => Promise<void>;
  /** Scans all projects again, with webhooks. */
  scanAgain: () => Promise<void>;
  /** The results of a run of the pipeline's scanner, as a SARIF file. */
  readSarif: (repository: string, run: number) => Promise<string>;
}

/** Creates the repositories of the demo in the sandbox, once. Throws with its reason if it cannot. */
export async function openSandboxDemo(url: string): Promise<SandboxDemo> {
  const send = async (path: string, method = 'POST', body?: object): Promise<string> => {
    const json = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${url}/_sandbox/demo${path}`, { method, ...json }).catch(() => {
      throw new Refusal('conflict', `There is no sandbox at ${url}. Start the server with npm start first.`);
    });
    const text = await response.text();
    if (!response.ok) throw new Refusal('conflict', `The sandbox answered ${response.status}: ${text}`);
    return text;
  };
  return {
    url,
    content: answer.parse(JSON.parse(await send(''))),
    playChanges: async () => void (await send('/changes')),
    synchronizeDirectory: async (target) => void (await send('/directory', 'POST', target)),
    scanAgain: async () => void (await send('/scans')),
    readSarif: (repository, run) => send(`/sarif?repository=${encodeURIComponent(repository)}&run=${run}`, 'GET'),
  };
}
