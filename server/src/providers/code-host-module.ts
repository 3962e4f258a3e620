import type { Provider } from '@sightline/contract/core/providers.ts';
import type { EgressProxies } from '#core/egress.ts';
import { importFolder } from '#core/import-folder.ts';
import type { OutboundFor } from '#core/outbound.ts';
import type { CodeHostConfig } from '../config-code-host.ts';
import type { CodeHostConnectorFactory } from './connectable.ts';
import type { HostWebhooks } from './host-events.ts';

export interface ConnectorDependencies<Config> {
  config: Config;
  outboundFor: OutboundFor;
  proxies: EgressProxies;
}

/**
 * What the server knows of one kind of code host. A file `host.ts` in a folder of providers exports it as `codeHost`.
 * No other list exists in the server. `Config`: the part of the configuration that it reads.
 */
export interface CodeHostModule<Config = CodeHostConfig> {
  provider: Provider;
  /** Undefined if the host sends no webhooks; then changes arrive by the reconciliation only. */
  webhooks: HostWebhooks | undefined;
  /** Creates the connection options; undefined for an app, whose installation differs for each host. */
  createConnector: ((dependencies: ConnectorDependencies<Config>) => CodeHostConnectorFactory) | undefined;
  /** Sentences about the permissions that publishing policy results requires. */
  publishing: { status: string; comment: string };
}

export type CodeHostModules = ReadonlyMap<Provider, CodeHostModule<never>>;

interface HostFile {
  codeHost: CodeHostModule<never>;
}

/** Every folder of providers with a file host.ts is a code host. */
export async function loadCodeHostModules(): Promise<CodeHostModules> {
  const files = await importFolder<HostFile>('*/host.ts', new URL('./', import.meta.url));
  return new Map(files.map(({ codeHost }) => [codeHost.provider, codeHost]));
}
