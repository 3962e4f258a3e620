import { configuredAgentNames } from '@sightline/contract/tools/agent-configuration.ts';

/** Returns the product name of an editor, browser or agent; an unknown program keeps its ID. */
export const programName = (program: string): string => names.get(program) ?? program;

const names = new Map([
  ['vscode', 'VS Code'],
  ['vscode-insiders', 'VS Code Insiders'],
  ['vscodium', 'VSCodium'],
  ['code-oss', 'Code OSS'],
  ['code-server', 'code-server'],
  ['cursor', 'Cursor'],
  ['windsurf', 'Windsurf'],
  ['chrome', 'Chrome'],
  ['firefox', 'Firefox'],
  ['edge', 'Edge'],
  ['brave', 'Brave'],
  ['opera', 'Opera'],
  ...Object.entries(configuredAgentNames),
]);
