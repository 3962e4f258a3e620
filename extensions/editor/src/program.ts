/** The names of an editor: `env.appName`, `env.uriScheme` and `env.appHost` of VS Code's API. */
export interface EditorNames {
  appName: string;
  uriScheme: string;
  appHost: string;
}

const byName: readonly [RegExp, string][] = [
  [/code-server/i, 'code-server'],
  [/cursor/i, 'cursor'],
  [/windsurf/i, 'windsurf'],
  [/vscodium/i, 'vscodium'],
  [/insiders/i, 'vscode-insiders'],
];

/** The program name as in the tool catalog: `vscode`, `cursor`, … An unknown fork is named by its scheme. */
export function programOf({ appName, uriScheme, appHost }: EditorNames): string {
  const known = byName.find(([name]) => name.test(appName) || name.test(uriScheme));
  if (known) return known[1];
  if (uriScheme === 'code-oss') return appHost === 'desktop' ? 'vscode' : 'code-server';
  return /^[a-z0-9][a-z0-9-]{0,39}$/.test(uriScheme) ? uriScheme : 'vscode';
}
