import { scriptMentions } from './commands.ts';
import type { ToolReference } from './detection.ts';
import { imageMention } from './image.ts';

/**
 * Returns the base images of a Dockerfile and the tools of its steps. Excludes its own stages and resolves arguments
 * with known values.
 */
export function dockerfileMentions(content: string): ToolReference[] {
  const lines = content.split(/\r?\n/);
  return [...baseMentions(lines), ...runMentions(lines)];
}

function baseMentions(lines: readonly string[]): ToolReference[] {
  const values = new Map<string, string>();
  const stages = new Set<string>();
  return lines.flatMap((line, index): ToolReference[] => {
    const [, argument, value = ''] = /^\s*ARG\s+(\w+)=(\S+)/i.exec(line) ?? [];
    if (argument !== undefined) values.set(argument, value.replaceAll(/^["']|["']$/g, ''));
    const [, written, stage] = /^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i.exec(line) ?? [];
    if (written === undefined) return [];
    const image = written.replaceAll(
      /\$\{?(\w+)(?::-([^}]*))?\}?/g,
      (all, name: string, fallback?: string) => values.get(name) ?? fallback ?? all,
    );
    const isStage = stages.has(image.toLowerCase());
    if (stage !== undefined) stages.add(stage.toLowerCase());
    const mention = isStage ? undefined : imageMention(image.replace(/:[^/]*\$.*$/, ''), index + 1);
    return mention ? [{ ...mention, text: `FROM ${mention.text}`.slice(0, 200) }] : [];
  });
}

function runMentions(lines: readonly string[]): ToolReference[] {
  const mentions: ToolReference[] = [];
  for (let at = 0; at < lines.length; ) {
    const [opening, ...flags] = /^\s*RUN\s+(?:--\S+\s+)*/i.exec(lines[at] ?? '') ?? [];
    if (opening === undefined || flags.length > 0) {
      at = opening === undefined ? at + instructionAt(lines, at).length : at + 1;
      continue;
    }
    const [first = '', ...rest] = instructionAt(lines, at);
    const command = first.slice(opening.length);
    const [, delimiter] = /^<<-?\s*(["']?)(\w+)\1\s*$/.exec(command)?.slice(1) ?? [];
    if (delimiter === undefined) {
      mentions.push(...scriptAt([shellCommandOf(command), ...rest].join('\n'), at + 1));
      at += 1 + rest.length;
    } else {
      const end = lines.findIndex((line, index) => index > at && line.trim() === delimiter);
      const body = lines.slice(at + 1, end === -1 ? undefined : end);
      mentions.push(...scriptAt(body.join('\n'), at + 2));
      at += body.length + 2;
    }
  }
  return mentions;
}

/** Returns the lines of an instruction, which continues after a backslash. Replaces comments in between. */
function instructionAt(lines: readonly string[], from: number): string[] {
  const written = [lines[from] ?? ''];
  while (/\\\s*$/.test(written.at(-1) ?? '') && from + written.length < lines.length) {
    const next = lines[from + written.length] ?? '';
    written.push(/^\s*(#|$)/.test(next) ? '\\' : next);
  }
  return written;
}

/** Converts the exec form `["npm", "ci"]` to a shell command. */
function shellCommandOf(command: string): string {
  if (!/^\[\s*"/.test(command)) return command;
  try {
    const words: unknown = JSON.parse(command);
    return Array.isArray(words) ? words.map((word) => `'${String(word).replaceAll("'", '')}'`).join(' ') : command;
  } catch {
    return command;
  }
}

const scriptAt = (text: string, line: number): ToolReference[] =>
  scriptMentions({ text, lineAt: (offset) => line + (text.slice(0, offset).match(/\n/g)?.length ?? 0) });
