import { scriptMentions } from './commands.ts';
import type { Mention } from './detection.ts';
import { imageMention } from './image.ts';

/**
 * The images a Dockerfile builds on, and the tools its steps run. Its own stages are none; arguments stand for what they
 * are set to.
 */
export function dockerfileMentions(content: string): Mention[] {
  const lines = content.split(/\r?\n/);
  return [...baseMentions(lines), ...runMentions(lines)];
}

function baseMentions(lines: readonly string[]): Mention[] {
  const values = new Map<string, string>();
  const stages = new Set<string>();
  return lines.flatMap((line, index): Mention[] => {
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

function runMentions(lines: readonly string[]): Mention[] {
  const mentions: Mention[] = [];
  for (let at = 0; at < lines.length; ) {
    const [opening, ...flags] = /^\s*RUN\s+(?:--\S+\s+)*/i.exec(lines[at] ?? '') ?? [];
    if (opening === undefined || flags.length > 0) {
      at = opening === undefined ? at + instructionAt(lines, at).length : at + 1;
      continue;
    }
    const [first = '', ...rest] = instructionAt(lines, at);
    const command = first.slice(opening.length);
    const [, mark] = /^<<-?\s*(["']?)(\w+)\1\s*$/.exec(command)?.slice(1) ?? [];
    if (mark === undefined) {
      mentions.push(...scriptAt([inWords(command), ...rest].join('\n'), at + 1));
      at += 1 + rest.length;
    } else {
      const end = lines.findIndex((line, index) => index > at && line.trim() === mark);
      const body = lines.slice(at + 1, end === -1 ? undefined : end);
      mentions.push(...scriptAt(body.join('\n'), at + 2));
      at += body.length + 2;
    }
  }
  return mentions;
}

/** An instruction goes on behind a backslash; a comment in between belongs to nothing. */
function instructionAt(lines: readonly string[], from: number): string[] {
  const written = [lines[from] ?? ''];
  while (/\\\s*$/.test(written.at(-1) ?? '') && from + written.length < lines.length) {
    const next = lines[from + written.length] ?? '';
    written.push(/^\s*(#|$)/.test(next) ? '\\' : next);
  }
  return written;
}

/** `["npm", "ci"]` is a command without a shell. */
function inWords(command: string): string {
  if (!/^\[\s*"/.test(command)) return command;
  try {
    const words: unknown = JSON.parse(command);
    return Array.isArray(words) ? words.map((word) => `'${String(word).replaceAll("'", '')}'`).join(' ') : command;
  } catch {
    return command;
  }
}

const scriptAt = (text: string, line: number): Mention[] =>
  scriptMentions({ text, lineAt: (offset) => line + (text.slice(0, offset).match(/\n/g)?.length ?? 0) });
