import { isActionTheTool, toolOfAction } from '../catalog/catalog.ts';
import { MAX_TEXT_LENGTH, type ToolReference } from './detection.ts';
import { imageMention } from './image.ts';

const actionReference = /^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)\/([a-z0-9._-]+)((?:\/[^@\s]+)?)(?:@(\S+))?$/i;
// Version comments of tools that pin commits: `# v4.1.0`, `# tag=v4`, `# ratchet:actions/checkout@v4`.
const pinnedVersion = /#\s*(?:tag=|pin@|ratchet:\S+@|renovate:\s*tag=)?(v?\.?\d[\w.+-]*)/i;

/**
 * Parses `uses: owner/name@ref`; undefined for a local path or invalid name. `requestedVersion` is the version input of
 * the step.
 */
export function usesMention(
  written: string,
  line: number,
  source: string,
  requestedVersion = '',
): ToolReference | undefined {
  const value = written.trim();
  if (value.startsWith('docker://')) return imageMention(value, line);
  const [, owner, name, , ref] = actionReference.exec(value) ?? [];
  if (!owner || !name) return undefined;
  const tool = toolOfAction(`${owner}/${name}`);
  const isVersion = /^v?\d[\w.+-]{0,79}$/.test(requestedVersion);
  return {
    tool,
    line,
    text: `uses: ${value}`.slice(0, MAX_TEXT_LENGTH),
    version: isActionTheTool(tool) ? versionOf(ref, source) : isVersion ? requestedVersion : null,
  };
}

function versionOf(ref: string | undefined, source: string): string | null {
  if (ref === undefined) return null;
  if (!/^[0-9a-f]{40,64}$/i.test(ref)) return ref.slice(0, 80);
  return (pinnedVersion.exec(source)?.[1] ?? ref.slice(0, 7)).slice(0, 80);
}
