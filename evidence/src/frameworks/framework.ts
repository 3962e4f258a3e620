/** A framework whose requirements the controls provide evidence for. */
export interface FrameworkData {
  readonly name: string;
  /** The publication that the identifiers are from. */
  readonly source: string;
  /** `published`: titles are those of the publication. `short`: its texts may not be copied, or its points have no titles; ours are short names in common use. */
  readonly titles: 'published' | 'short';
  /** How identifiers are written here, where the publication writes them otherwise. */
  readonly identifiers?: string;
  /** The requirements about changes of source code, vulnerabilities, access and logging, in the order of the publication. */
  readonly requirements: readonly RequirementData[];
}

/** A requirement with the controls that provide evidence for it, or the reason why no control does. */
export type RequirementData = readonly [id: string, title: string, evidence: readonly RequirementMapping[] | string];

/**
 * IDs of controls with the reason why they provide evidence for the requirement. Controls import these files, so that their type
 * is unknown here; a test compares the IDs with the catalog.
 */
export type RequirementMapping = readonly [controls: readonly string[], rationale: string];
