import { z } from 'zod';
import { Refusal } from '#core/errors.ts';

const answer = z.object({
  githubAccount: z.number(),
  owners: z.object({ github: z.string(), gitlab: z.string(), bitbucket: z.string() }),
  login: z.string(),
  tokens: z.object({ gitlab: z.string(), bitbucket: z.string() }),
  checkmarx: z.object({ tenant: z.string(), apiKey: z.string() }),
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
  /** Scans all projects again, with webhooks. */
  scanAgain: () => Promise<void>;
  /** The results of a run of the pipeline's scanner, as a SARIF file. */
  readSarif: (repository: string, run: number) => Promise<string>;
}

/** Creates the repositories of the demo in the sandbox, once. Throws with its reason if it cannot. */
export async function openSandboxDemo(url: string): Promise<SandboxDemo> {
  const send = async (path: string, method = 'POST'): Promise<string> => {
    const response = await fetch(`${url}/_sandbox/demo${path}`, { method }).catch(() => {
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
    scanAgain: async () => void (await send('/scans')),
    readSarif: (repository, run) => send(`/sarif?repository=${encodeURIComponent(repository)}&run=${run}`, 'GET'),
  };
}
