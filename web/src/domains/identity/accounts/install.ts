import type { Download } from '@sightline/contract/tools/downloads.ts';
import type { OperatingSystem } from './platform.ts';

type DownloadTarget = Download['target'];

/** The address of the extensions page of each browser. */
const extensionPages: Partial<Record<DownloadTarget, string>> = {
  chrome: 'chrome://extensions',
  brave: 'brave://extensions',
  edge: 'edge://extensions',
  opera: 'opera://extensions',
};

/** The download folder of each system in shell syntax. */
const downloadFolders: Record<OperatingSystem, string> = {
  windows: '"$env:USERPROFILE\\Downloads\\',
  macos: '"$HOME/Downloads/',
  linux: '"$HOME/Downloads/',
};

/** Whether the browser keeps the extension. Mozilla signs copies as .xpi; local builds are .zip files. */
export const staysInstalled = ({ target, fileName }: Pick<Download, 'target' | 'fileName'>): boolean =>
  target !== 'firefox' || fileName.endsWith('.xpi');

/** Returns the installation steps of a downloaded file. `server` is the address that the extension needs. */
export function installSteps(
  { target, fileName }: Pick<Download, 'target' | 'fileName'>,
  server: string,
  system: OperatingSystem,
): string[] {
  if (target === 'vscode') {
    return [
      `In the editor open Extensions (${system === 'macos' ? '⇧⌘X' : 'Ctrl+Shift+X'}), then “Install from VSIX…” in its menu, and choose ${fileName}. VSCodium, Cursor and Windsurf use the same file. In ${system === 'windows' ? 'PowerShell' : 'a terminal'} you can also run: code --install-extension ${downloadFolders[system]}${fileName}"`,
      `In the settings, search for Sightline and set its server address to ${server}.`,
      'Run “Sightline: Sign in” from the command palette.',
    ];
  }
  const signIn = `Open the extension, give it the address ${server} and sign in.`;
  if (target === 'firefox') {
    if (staysInstalled({ target, fileName })) {
      return [`Open about:addons, choose “Install Add-on From File…” in its menu, and ${fileName}.`, signIn];
    }
    return [
      'Open about:debugging#/runtime/this-firefox and choose “Load Temporary Add-on…”.',
      `Choose ${fileName}. It is not signed by Mozilla, so Firefox removes it when it closes. Load it again then, or ask the operator of this server for a signed copy.`,
      signIn,
    ];
  }
  return [
    `Unpack ${fileName} into a permanent folder.`,
    `Open ${extensionPages[target] ?? 'the page of extensions'}, turn on “Developer mode” and choose “Load unpacked” with that folder.`,
    signIn,
  ];
}
