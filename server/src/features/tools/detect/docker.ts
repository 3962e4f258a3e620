import type { Mention } from './detection.ts';
import { imageMention } from './image.ts';

/** The images a Dockerfile builds on. Its own stages are none; arguments stand for what they are set to. */
export function dockerfileMentions(content: string): Mention[] {
  const values = new Map<string, string>();
  const stages = new Set<string>();
  return content.split('\n').flatMap((line, index): Mention[] => {
    const [, argument, value = ''] = /^\s*ARG\s+(\w+)=(\S+)/i.exec(line) ?? [];
    if (argument !== undefined) values.set(argument, value.replaceAll(/^["']|["']$/g, ''));
    const [, written, stage] = /^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i.exec(line) ?? [];
    if (written === undefined) return [];
    const image = written.replaceAll(
      /\$\{?(\w+)(?::-([^}]*))?\}?/g,
      (all, name: string, otherwise?: string) => values.get(name) ?? otherwise ?? all,
    );
    const isStage = stages.has(image.toLowerCase());
    if (stage !== undefined) stages.add(stage.toLowerCase());
    const mention = isStage ? undefined : imageMention(image.replace(/:[^/]*\$.*$/, ''), index + 1);
    return mention ? [{ ...mention, text: `FROM ${mention.text}`.slice(0, 200) }] : [];
  });
}
