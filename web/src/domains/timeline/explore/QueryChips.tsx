import { UnstyledButton } from '@mantine/core';
import type { Span } from '@sightline/contract/timeline/query-language/ast.ts';
import { partsOf, type QueryPart, withoutPart } from '@sightline/contract/timeline/query-language/edit.ts';
import { IconX } from '@tabler/icons-react';
import s from './Query.module.css';

interface QueryChipsProps {
  text: string;
  onEdit: (part: Span) => void;
  /** Called with the remaining query. */
  onRemove: (rest: string) => void;
}

/** Shows the conditions of a query as chips that can be removed individually. */
export const QueryChips = ({ text, onEdit, onRemove }: QueryChipsProps) => (
  <ul className={s.chips} aria-label="Parts of this query">
    {partsOf(text).map((part) => (
      <li key={part.start} className={s.chip} data-not={part.node.kind === 'not' || undefined}>
        {/* Keyboard users edit the input itself. */}
        <UnstyledButton className={s.chipText ?? ''} tabIndex={-1} onClick={() => onEdit(part)}>
          <ChipText part={part} />
        </UnstyledButton>
        <UnstyledButton
          className={s.x ?? ''}
          aria-label={`Remove ${part.text}`}
          onClick={() => onRemove(withoutPart(text, part))}
        >
          <IconX size={12} aria-hidden />
        </UnstyledButton>
      </li>
    ))}
  </ul>
);

function ChipText({ part: { node, text } }: { part: QueryPart }) {
  const inner = node.kind === 'not' ? node.of : node;
  if (inner.kind !== 'qualifier') return text;
  const colon = text.indexOf(':') + 1;
  return (
    <>
      <span className={s.key}>{text.slice(0, colon)}</span>
      {text.slice(colon)}
    </>
  );
}
