import { z } from 'zod';

/** The confidence of an attribution: declared by the source, observed by Sightline, or inferred from observations. */
export const attributionConfidences = ['declared', 'observed', 'inferred'] as const;

/**
 * An agent attributed to the introduction of a finding: its lines, its file in the commit, or the entire commit.
 * `confidence` applies to the level in `about`.
 */
export const agentAttribution = z.object({
  agent: z.string(),
  model: z.string().nullable(),
  source: z.enum(['git-ai', 'agent-trace', 'trailer', 'host', 'editor']),
  confidence: z.enum(attributionConfidences),
  about: z.enum(['lines', 'file', 'commit']),
});
export type AgentAttribution = z.infer<typeof agentAttribution>;
