import type { SonarClient } from './client.ts';
import { ruleAnswer } from './shapes.ts';

export interface SonarRule {
  name: string | null;
  /** As Markdown; may be empty. */
  description: string;
  cwes: readonly number[];
}

/**
 * Creates a function that reads rules, each once. The API reports no CWE IDs, but the descriptions of rules link to them. A
 * rule that cannot be read has no description, so that it does not fail a sync.
 */
export function createRuleReader({ api, organization }: SonarClient): (key: string) => Promise<SonarRule> {
  const known = new Map<string, Promise<SonarRule>>();
  const read = async (key: string): Promise<SonarRule> => {
    const query = new URLSearchParams({ key, ...(organization !== undefined && { organization }) });
    const answer = await api.maybe(`/api/rules/show?${query}`, ruleAnswer).catch(() => undefined);
    const rule = answer?.data.rule;
    const html = (rule?.descriptionSections ?? []).map(({ content }) => content).join('\n') || (rule?.htmlDesc ?? '');
    return { name: rule?.name ?? null, description: markdownOf(html), cwes: cwesIn(html) };
  };
  return (key) => {
    const found = known.get(key) ?? read(key);
    known.set(key, found);
    return found;
  };
}

function cwesIn(html: string): number[] {
  const linked = [...html.matchAll(/cwe\.mitre\.org\/data\/definitions\/(\d{1,5})/gi)].map(([, id]) => Number(id));
  return [...new Set(linked)].slice(0, 50);
}

const MAX_DESCRIPTION_LENGTH = 20_000;

/** Converts the HTML of a rule description to Markdown: headings, lists, code and paragraphs. */
export function markdownOf(html: string): string {
  const text = html
    .slice(0, 4 * MAX_DESCRIPTION_LENGTH)
    .replaceAll(/<pre[^>]*>([\s\S]*?)<\/pre>/gi, (_, code: string) => `\n\n\`\`\`\n${code.trim()}\n\`\`\`\n\n`)
    .replaceAll(/<h[1-6][^>]*>/gi, '\n\n## ')
    .replaceAll(/<li[^>]*>/gi, '\n- ')
    .replaceAll(/<\/?code>/gi, '`')
    .replaceAll(/<(?:\/h[1-6]|p|\/p|\/ul|\/ol|br)[^>]*>/gi, '\n\n')
    .replaceAll(/<[a-z/!][^>]*>/gi, '');
  const decoded = text.replaceAll(/&(lt|gt|quot|#39|nbsp|amp);/g, (_, name: string) => entities[name] ?? '');
  return decoded
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, MAX_DESCRIPTION_LENGTH);
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ', amp: '&' };
