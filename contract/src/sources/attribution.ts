import { z } from 'zod';

/** How sure we are of a piece of evidence: said by the source, seen by us, or concluded from what was seen. */
export const confidences = ['declared', 'observed', 'inferred'] as const;

/**
 * An agent that is said to have written what a finding came with: these very lines, the file in that commit, or the commit as a
 * whole. `confidence` is of what `about` says.
 */
export const agentBehind = z.object({
  agent: z.string(),
  model: z.string().nullable(),
  source: z.enum(['git-ai', 'agent-trace', 'trailer', 'host', 'editor']),
  confidence: z.enum(confidences),
  about: z.enum(['lines', 'file', 'commit']),
});
export type AgentBehind = z.infer<typeof agentBehind>;
