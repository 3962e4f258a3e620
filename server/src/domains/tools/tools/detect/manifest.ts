import { toolOfCommand } from '../catalog/catalog.ts';
import { scriptMentions } from './commands.ts';
import type { ToolReference } from './detection.ts';

/** Returns the tools that the scripts of a `package.json` run, and its package manager. */
export function manifestMentions(content: string): ToolReference[] {
  const manifest: unknown = JSON.parse(content);
  if (!isRecord(manifest)) return [];
  const lines = content.split('\n');
  const lineOf = (key: string, from = 0) => {
    const at = lines.findIndex((line, index) => index >= from && line.includes(`${JSON.stringify(key)}:`));
    return at === -1 ? from + 1 : at + 1;
  };
  const [manager = '', version] = typeof manifest.packageManager === 'string' ? manifest.packageManager.split('@') : [];
  const tool = toolOfCommand(manager);
  const managerMentions = tool
    ? [
        {
          tool,
          line: lineOf('packageManager'),
          text: `packageManager: ${manager}`,
          version: version?.split('+')[0] ?? null,
        },
      ]
    : [];
  const scripts = isRecord(manifest.scripts) ? Object.entries(manifest.scripts) : [];
  const from = lineOf('scripts') - 1;
  return [
    ...managerMentions,
    ...scripts.flatMap(([name, text]) => {
      if (typeof text !== 'string') return [];
      const line = lineOf(name, from);
      return scriptMentions({ text, lineAt: () => line }, 'npm');
    }),
  ];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
