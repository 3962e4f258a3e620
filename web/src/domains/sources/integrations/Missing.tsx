import { IconPointFilled } from '@tabler/icons-react';
import s from './Missing.module.css';

/** Lists the missing requirements of an integration, one sentence each. */
export const MissingRequirements = ({ sentences }: { sentences: readonly string[] }) =>
  sentences.length === 0 ? null : (
    <ul className={s.missing} aria-label="Missing">
      {sentences.map((sentence) => (
        <li key={sentence}>
          <IconPointFilled size={10} aria-hidden />
          {sentence}
        </li>
      ))}
    </ul>
  );
