import { expect, test } from 'vitest';
import { programOf } from './program.ts';

test.each([
  ['Visual Studio Code', 'vscode', 'desktop', 'vscode'],
  ['Visual Studio Code - Insiders', 'vscode-insiders', 'desktop', 'vscode-insiders'],
  ['VSCodium', 'vscodium', 'desktop', 'vscodium'],
  ['Cursor', 'cursor', 'desktop', 'cursor'],
  ['Windsurf', 'windsurf', 'desktop', 'windsurf'],
  ['code-server', 'code-oss', 'server-distro', 'code-server'],
  ['Code - OSS', 'code-oss', 'desktop', 'vscode'],
  ['Trae', 'trae', 'desktop', 'trae'],
  ['Strange', 'Not A Scheme', 'desktop', 'vscode'],
])('resolves %s (%s, %s) to %s', (appName, uriScheme, appHost, program) => {
  expect(programOf({ appName, uriScheme, appHost })).toBe(program);
});
