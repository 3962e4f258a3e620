import { homedir } from 'node:os';
import { ConfigurationTarget, workspace } from 'vscode';
import { isExcluded } from './folders.ts';
import { serverAddress } from './server-address.ts';

const section = 'sightline';
const read = <T>(name: string, fallback: T): T => workspace.getConfiguration(section).get<T>(name) ?? fallback;

export const settings = {
  /** The configured origin; undefined without a valid one. */
  server(): string | undefined {
    const given = serverAddress(read('serverUrl', ''));
    return 'address' in given ? given.address : undefined;
  },
  setServer: (address: string) =>
    Promise.resolve(workspace.getConfiguration(section).update('serverUrl', address, ConfigurationTarget.Global)),
  hidesFileNames: () => read('hideFileNames', false),
  reportsAgentSettings: () => read('reportAgentSettings', false),
  excludes: (path: string) => isExcluded(path, read<string[]>('excludedFolders', []), homedir()),
  isServerChanged: (change: { affectsConfiguration: (name: string) => boolean }) =>
    change.affectsConfiguration(`${section}.serverUrl`),
  isReportChanged: (change: { affectsConfiguration: (name: string) => boolean }) =>
    change.affectsConfiguration(`${section}.reportAgentSettings`),
};
