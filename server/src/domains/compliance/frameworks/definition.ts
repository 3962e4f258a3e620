import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { type FrameworkId, frameworkData, frameworkIds } from '@sightline/evidence/controls/crosswalk.ts';
import { type CanonicalValue, canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { sha256 } from '#core/hmac.ts';

/** A requirement with its mapped controls. */
export interface DefinedRequirement {
  id: string;
  title: string;
  controls: { id: ControlId; rationale: string }[];
  /** Why no control covers it. */
  gap: string | null;
}

/** A framework of the release, or an imported one, with its current mappings. */
export interface FrameworkDefinition {
  id: string;
  name: string;
  kind: 'built_in' | 'imported';
  source: string;
  identifiers: string | null;
  hasPublishedTitles: boolean;
  requirements: DefinedRequirement[];
  version: number;
  changed: { at: Date; by: string } | null;
}

/** Returns a framework of the release; undefined for another ID. */
export function builtInFramework(id: string): FrameworkDefinition | undefined {
  if (!Object.hasOwn(frameworkData, id)) return undefined;
  const { name, source, titles, identifiers, requirements } = frameworkData[id as FrameworkId];
  return {
    id,
    name,
    kind: 'built_in',
    source,
    identifiers: identifiers ?? null,
    hasPublishedTitles: titles === 'published',
    requirements: requirements.map(([requirement, title, evidence]) => ({
      id: requirement,
      title,
      controls:
        typeof evidence === 'string'
          ? []
          : evidence.flatMap(([controls, rationale]) =>
              controls.map((control) => ({ id: control as ControlId, rationale })),
            ),
      gap: typeof evidence === 'string' ? evidence : null,
    })),
    version: 1,
    changed: null,
  };
}

/** The frameworks of the release. */
export const builtInFrameworks = (): FrameworkDefinition[] => frameworkIds.flatMap((id) => builtInFramework(id) ?? []);

/** SHA-256 of the mappings of a framework; any change of a requirement, control or rationale changes it. */
export const mappingHash = ({ name, requirements }: FrameworkDefinition): Buffer =>
  sha256(canonicalJson({ name, requirements } as unknown as CanonicalValue));
