import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Host } from './github/host.ts';
import { importFolder } from './import-folder.ts';
import type { HostName } from './planted/host-name.ts';

/** A simulated code host over the repositories and people of the sandbox. */
export type CodeHostService = {
  /** The path of its web address below the URL of the sandbox, such as `/gitea`. */
  path: string;
  /** The path of its REST API, which pages of other origins may read. */
  apiPath: string;
  /** The path of the page that creates tokens. */
  tokenPath: string;
  /** Paths that programs send forms to; all other forms come from its own pages. */
  openPaths?: readonly string[];
  /** Registers its API, pages and git over HTTP, and its control below `/_sandbox/NAME`. */
  serve: (server: FastifyInstance) => Promise<void>;
  /** Resolves when all webhooks are delivered. */
  settled: () => Promise<unknown>;
};

/**
 * A file `service.ts` in a folder of the sandbox exports it as `codeHost`. No other list exists. `create` also adds
 * itself to the followers of the host, to send webhooks about changes. `file`: stores tokens and webhooks across
 * restarts; without it they are kept in memory only.
 */
export type CodeHostServiceModule<Service extends CodeHostService = CodeHostService> = {
  name: HostName;
  create: (host: Host, file: string | undefined) => Service;
};

type ServiceFile = { codeHost: CodeHostServiceModule };

/** The code hosts beside GitHub, GitLab and Bitbucket Cloud, which server.ts creates. */
export type CodeHostServices = ReadonlyMap<HostName, CodeHostService>;

/** `folder`: where their files are. */
export const createCodeHostServices = async (host: Host, folder: string | undefined): Promise<CodeHostServices> => {
  const files = await importFolder<ServiceFile>('*/service.ts', new URL('./', import.meta.url));
  return new Map(
    files.map(({ codeHost: { name, create } }) => [
      name,
      create(host, folder === undefined ? undefined : join(folder, `${name}.json`)),
    ]),
  );
};

/** The code host that a module created, with the type of its own. */
export const serviceOf = <Service extends CodeHostService>(
  services: CodeHostServices,
  { name }: CodeHostServiceModule<Service>,
): Service => {
  const service = services.get(name);
  if (service === undefined) throw new Error(`The sandbox has no ${name}.`);
  return service as Service;
};

/** The addresses of the code hosts, for the server that uses the sandbox. */
export const addressesOf = (
  services: CodeHostServices,
  sandboxUrl: string,
): Record<string, { url: string; sandboxPage: string }> =>
  Object.fromEntries(
    [...services].map(([name, { path, tokenPath }]) => [
      name,
      { url: `${sandboxUrl}${path}`, sandboxPage: `${sandboxUrl}${tokenPath}` },
    ]),
  );
