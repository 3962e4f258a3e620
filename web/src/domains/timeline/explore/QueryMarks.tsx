import type { Node, Span } from '@sightline/contract/timeline/query-language/ast.ts';
import type { Ref } from 'react';
import s from './Query.module.css';
import { readQuery } from './readQuery.ts';

interface QueryMarksProps {
  text: string;
  /** The range of a syntax error. */
  problem: Span | undefined;
  ref: Ref<HTMLDivElement>;
}

/** Repeats the text behind the input: qualifiers in color, and a syntax error underlined. */
export const QueryMarks = ({ text, problem, ref }: QueryMarksProps) => (
  <div className={s.marks} ref={ref} aria-hidden>
    {piecesOf(text, problem).map(({ start, end, mark }) => (
      <span key={start} className={mark && s[mark]}>
        {text.slice(start, end)}
      </span>
    ))}
  </div>
);

type Piece = Span & { mark?: 'key' | 'fault' | 'not' };

function piecesOf(text: string, problem: Span | undefined): Piece[] {
  const marked = problem ? [faultOf(text, problem)] : keysOf(text);
  const pieces: Piece[] = [];
  let at = 0;
  for (const piece of marked) {
    if (piece.start > at) pieces.push({ start: at, end: piece.start });
    pieces.push(piece);
    at = piece.end;
  }
  return at < text.length ? [...pieces, { start: at, end: text.length }] : pieces;
}

// An error at the very end has no letter of its own, so the last letter is marked.
const faultOf = (text: string, { start, end }: Span): Piece => ({
  start: Math.max(0, Math.min(start, text.length - 1)),
  end: Math.max(end, Math.min(start, text.length - 1) + 1),
  mark: 'fault',
});

function keysOf(text: string): Piece[] {
  const parsed = readQuery(text);
  if (!('node' in parsed) || !parsed.node) return [];
  return spansOf(parsed.node, text, false);
}

function spansOf(node: Node, text: string, isNot: boolean): Piece[] {
  switch (node.kind) {
    case 'text':
      return [];
    case 'qualifier':
      return [{ start: node.start, end: text.indexOf(':', node.start) + 1, mark: isNot ? 'not' : 'key' }];
    case 'not':
      return spansOf(node.of, text, !isNot);
    default:
      return node.of.flatMap((part) => spansOf(part, text, isNot));
  }
}
